#include "talweg/app/app.h"
#include "talweg/app/options.h"

int main(int argc, char** argv) {
  const talweg::app::ParsedOptions parsed = talweg::app::ParseOptions(argc, argv);
  if (!parsed.options) return parsed.exit_code;
  return talweg::app::Serve(*parsed.options);
}
