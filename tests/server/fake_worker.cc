// A worker that misbehaves. What it does is said by the name it is started
// under (tests make a link of that name): the pool gives workers no other
// argument.
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "talweg/base/version.h"
#include "talweg/worker/v1/worker.pb.h"
#include "talweg/workers/transport.h"
#include "talweg/workers/worker_process.h"

namespace {

using talweg::store::FileDescriptor;
using talweg::worker::v1::Dispatch;
using talweg::worker::v1::FromWorker;
using talweg::worker::v1::ToWorker;
using talweg::workers::Transport;

void Send(Transport& transport, const FromWorker& message,
          const FileDescriptor& attachment = FileDescriptor()) {
  if (!transport.Send(message, attachment, talweg::MonotonicTime::max()).ok()) _exit(0);
}

void SendRaw(std::string_view bytes) {
  [[maybe_unused]] const ssize_t sent =
      send(talweg::workers::kWorkerChannelDescriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

std::string Header(uint32_t length) {
  std::string header = "TwM1";
  header.append(reinterpret_cast<const char*>(&length), sizeof length);
  header.append(4, '\0');
  return header;
}

FromWorker ErrorReply(uint64_t task_id) {
  FromWorker message;
  message.mutable_reply()->set_task_id(task_id);
  message.mutable_reply()->mutable_error()->set_code(8);
  message.mutable_reply()->mutable_error()->set_reason("CELL_LIMIT");
  message.mutable_reply()->mutable_error()->set_message("made up");
  return message;
}

void SendField(Transport& transport, const Dispatch& dispatch, size_t memory_bytes) {
  FromWorker message;
  message.mutable_reply()->set_task_id(dispatch.task_id());
  auto& field = *message.mutable_reply()->mutable_field();
  field.set_rows(60);
  field.set_cols(80);
  field.set_size_bytes(60 * 80 * 8);
  field.mutable_summary()->set_stop_cause(talweg::v1::STOP_CAUSE_COMPLETE);
  const FileDescriptor memory(memfd_create("fake", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  [[maybe_unused]] const int result = ftruncate(memory.get(), static_cast<off_t>(memory_bytes));
  Send(transport, message, memory);
}

using Behaviour = std::function<void(Transport&, const Dispatch&)>;

const std::map<std::string_view, Behaviour>& Behaviours() {
  static const std::map<std::string_view, Behaviour> behaviours = {
      {"garbage", [](Transport&, const Dispatch&) { SendRaw("this is no frame at all"); }},
      {"garbage_message",
       [](Transport&, const Dispatch&) { SendRaw(Header(5) + "\xff\xff\xff\xff\xff"); }},
      {"wrong_id", [](Transport& t, const Dispatch& d) { Send(t, ErrorReply(d.task_id() + 1)); }},
      {"half_reply",
       [](Transport&, const Dispatch&) {
         SendRaw(Header(1000) + "half");
         _exit(0);
       }},
      {"exit_zero", [](Transport&, const Dispatch&) { _exit(0); }},
      {"exit_seven", [](Transport&, const Dispatch&) { _exit(7); }},
      {"abort", [](Transport&, const Dispatch&) { std::abort(); }},
      {"size_bomb", [](Transport&, const Dispatch&) { SendRaw(Header(0xffffffff)); }},
      {"no_items",
       [](Transport& t, const Dispatch& d) {
         FromWorker message;
         message.mutable_reply()->set_task_id(d.task_id());
         message.mutable_reply()->mutable_paths();
         Send(t, message);
       }},
      {"unsealed_field", [](Transport& t, const Dispatch& d) { SendField(t, d, 60 * 80 * 8); }},
      {"short_field", [](Transport& t, const Dispatch& d) { SendField(t, d, 8); }},
      {"second_hello",
       [](Transport& t, const Dispatch&) {
         FromWorker message;
         message.mutable_hello()->set_version(std::string(talweg::Version()));
         Send(t, message);
       }},
      {"ignore_cancel", [](Transport&, const Dispatch&) {}},
      {"answer_then_abort",
       [](Transport& t, const Dispatch& d) {
         Send(t, ErrorReply(d.task_id()));
         std::abort();
       }},
      {"answer_twice",
       [](Transport& t, const Dispatch& d) {
         Send(t, ErrorReply(d.task_id()));
         Send(t, ErrorReply(d.task_id()));
       }},
  };
  return behaviours;
}

[[noreturn]] void Serve(const Behaviour& behaviour) {
  const auto transport = talweg::workers::MakeUnixSocketTransport(
      FileDescriptor(talweg::workers::kWorkerChannelDescriptor));
  FromWorker hello;
  hello.mutable_hello()->set_version(std::string(talweg::Version()));
  Send(*transport, hello);
  while (true) {
    pollfd wait = {.fd = transport->poll_descriptor(), .events = POLLIN, .revents = 0};
    poll(&wait, 1, -1);
    while (true) {
      const auto received = transport->Receive();
      if (!received.ok()) _exit(0);
      if (!received->has_value()) break;
      ToWorker message;
      if (message.ParseFromString((*received)->bytes) && message.has_dispatch()) {
        behaviour(*transport, message.dispatch());
      }
    }
    if (transport->at_end()) _exit(0);
  }
}

[[noreturn]] void WaitForTheEnd() {
  // Until the server closes the socket.
  char byte = 0;
  while (recv(talweg::workers::kWorkerChannelDescriptor, &byte, 1, 0) > 0) {
  }
  _exit(0);
}

}  // namespace

int main(int, char** argv) {
  const std::string_view path = argv[0];
  const std::string_view mode = path.substr(path.rfind('/') + 1);
  if (mode == "crash_at_start") std::abort();
  if (mode == "exit_at_start") return 5;
  if (mode == "no_hello") WaitForTheEnd();
  if (mode == "bad_version") {
    const auto transport = talweg::workers::MakeUnixSocketTransport(
        FileDescriptor(talweg::workers::kWorkerChannelDescriptor));
    FromWorker hello;
    hello.mutable_hello()->set_version("0.0.0-other");
    Send(*transport, hello);
    WaitForTheEnd();
  }
  const auto behaviour = Behaviours().find(mode);
  if (behaviour == Behaviours().end()) return 6;
  Serve(behaviour->second);
}
