// The talweg command against a server that goes on running.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "npy_file.h"
#include "run_program.h"
#include "talweg/formats/provenance.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::Json;
using test::ProgramResult;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CliServer : public ::testing::Test {
 protected:
  void SetUp() override {
    address_ = "unix:" + folder_.File("s.sock");
    // Through the command, which becomes talwegd.
    server_ = std::make_unique<test::RunningProgram>(
        "talweg", std::vector<std::string>{"serve", "--listen", address_, "--workers", "1"});
    for (int i = 0; i < 200; ++i) {
      if (Talweg({"version"}).exit_code == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    FAIL() << "the server does not answer: " << server_->ErrSoFar();
  }
  void TearDown() override {
    ::kill(server_->pid(), SIGTERM);
    EXPECT_EQ(server_->Wait().exit_code, 0);
  }

  ProgramResult Talweg(const std::vector<std::string>& arguments) {
    return test::Run("talweg", arguments, {"TALWEG_SERVER=" + address_});
  }
  std::string Surface(const std::string& name, const std::vector<double>& values) {
    const std::string path = folder_.File(name);
    test::WriteFile(
        path, test::NpyBytes(test::NpyDictionary("<f8", false, "(2, 2)"), test::RawBytes(values)));
    return path;
  }
  Json List() { return Json::parse(Talweg({"surface", "list", "--json"}).out)["surfaces"]; }

  test::TemporaryFolder folder_;
  std::string address_;
  std::unique_ptr<test::RunningProgram> server_;
};

TEST_F(CliServer, SurfacesArePutListedShownAskedAndRemoved) {
  ProgramResult result = Talweg({"surface", "put", "dem", Surface("a.npy", {1, 3, 10, 12})});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ::testing::StartsWith("published surfaces/dem@"));
  const std::string first =
      Json::parse(Talweg({"surface", "show", "dem", "--json"}).out)["revision"];

  result = Talweg({"surface", "put", "dem", Surface("b.npy", {1, 1, 1, 1}), "--create-only"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("exists already"));

  result = Talweg({"surface", "put", "dem", Surface("b.npy", {1, 1, 1, 1})});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("a new revision"), HasSubstr(first)));

  EXPECT_THAT(Talweg({"surface", "list"}).out, HasSubstr("surfaces/dem"));
  EXPECT_THAT(Talweg({"surface", "show", "surfaces/dem"}).out, HasSubstr("2 rows x 2 columns"));

  result = Talweg({"route", "surfaces/dem", "--from-cell", "0,0", "--to-cell", "0,1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json route = Json::parse(result.out);
  EXPECT_EQ(route["routes"][0]["cost"], 1);
  EXPECT_EQ(route["surface"], "surfaces/dem");
  const std::string revision = route["revision"];
  EXPECT_EQ(Talweg({"route", "surfaces/dem@" + revision, "--from-cell", "0,0", "--to-cell", "0,1"})
                .exit_code,
            0);

  result = Talweg({"surface", "rm", "dem"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(List(), IsEmpty());
  EXPECT_EQ(Talweg({"surface", "show", "dem"}).exit_code, 2);
  EXPECT_EQ(Talweg({"surface", "rm", "dem"}).exit_code, 2);
}

TEST_F(CliServer, TheServerIsNamedBeforeOrAfterTheCommand) {
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"--server", address_, "surface", "list", "--json"},
        {"surface", "list", "--json", "--server", address_},
        {"surface", "--server", address_, "list", "--json"}}) {
    const ProgramResult result = test::Run("talweg", line);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(Json::parse(result.out)["surfaces"].empty());
  }
}

TEST_F(CliServer, AFileAskedAtAServerIsGoneAfterwards) {
  const std::string surface = Surface("a.npy", {1, 3, 10, 12});
  const ProgramResult result =
      Talweg({"route", surface, "--from-cell", "0,0", "--to-cell", "1,1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["surface"], "a.npy");
  EXPECT_THAT(List(), IsEmpty());
}

TEST_F(CliServer, WorkersAreNotOursToChoose) {
  const ProgramResult result = Talweg({"route", Surface("a.npy", {1, 3, 10, 12}), "--from-cell",
                                       "0,0", "--to-cell", "1,1", "--workers", "2"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("--workers is for the private server"));
}

TEST_F(CliServer, AnUnknownSurfaceOrABadIdIsExit2) {
  EXPECT_EQ(Talweg({"route", "surfaces/nope", "--from-cell", "0,0", "--to-cell", "1,1"}).exit_code,
            2);
  EXPECT_EQ(Talweg({"surface", "put", "Bad_Id", Surface("a.npy", {1, 3, 10, 12})}).exit_code, 2);
}

}  // namespace
}  // namespace talweg
