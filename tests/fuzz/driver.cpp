// confmat_fuzz TARGET COUNT [SEED]: the kept inputs of the target, then COUNT made ones, or fewer
// of a slow one. The input of execution i is made from SEED + i, so `confmat_fuzz TARGET 1 SEED+i`
// repeats it alone. confmat_fuzz TARGET FILE: that input. confmat_fuzz: the names of all targets.
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "mutate.hpp"
#include "target.hpp"

#if defined(__SANITIZE_ADDRESS__)
extern "C" {
void __sanitizer_set_death_callback(void (*callback)());
const char* __asan_default_options() {
  return "abort_on_error=1:max_allocation_size_mb=256:detect_stack_use_after_return=1";
}
const char* __ubsan_default_options() { return "print_stacktrace=1:abort_on_error=1"; }
}
#endif

namespace confmat::fuzz {
namespace {

// Seconds that an execution may take: at work, and if it only waits, which a busy or stopped
// machine makes it do.
constexpr unsigned kLongestWork = 10;
constexpr unsigned kLongestWait = 1800;

void set_clocks(unsigned work, unsigned wait) {
  const itimerval timer{{0, 0}, {static_cast<time_t>(work), 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(wait);
}

std::vector<const Target*>& targets() {
  static std::vector<const Target*> all;
  return all;
}

// What is running, for the report of a crash.
struct Running {
  const char* target = "";
  std::uint64_t seed = 0;
  const Bytes* input = nullptr;
  bool reported = false;
};
Running running;

// After a crash: only calls that are safe then.
void report() {
  if (running.reported || running.input == nullptr) return;
  running.reported = true;
  char name[160];
  std::snprintf(name, sizeof name, "find-%s-%llu", running.target,
                static_cast<unsigned long long>(running.seed));
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0) {
    static_cast<void>(!write(file, running.input->data(), running.input->size()));
    close(file);
  }
  char text[320];
  const int n = std::snprintf(text, sizeof text,
                              "\nfind: confmat_fuzz %s 1 %llu (input in %s; keep it in "
                              "tests/fuzz/kept/%s)\n",
                              running.target, static_cast<unsigned long long>(running.seed), name,
                              running.target);
  if (n > 0) static_cast<void>(!write(STDERR_FILENO, text, static_cast<std::size_t>(n)));
}

void on_signal(int signal) {
  if (signal == SIGALRM || signal == SIGPROF) {
    static constexpr char kText[] = "an execution takes too long\n";
    static_cast<void>(!write(STDERR_FILENO, kText, sizeof kText - 1));
  }
  report();
  _exit(1);
}

bool execute(const Target& target, const Bytes& input, std::uint64_t seed) {
  // Exactly as long as its bytes, so that a sanitizer sees every overrun.
  const Bytes exact(input.begin(), input.end());
  running = {target.name, seed, &exact, false};
  set_clocks(kLongestWork, kLongestWait);
  try {
    target.run(exact);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "thrown: %s\n", error.what());
    report();
    return false;
  }
  running.input = nullptr;
  return true;
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool execute_kept(const Target& target) {
  const auto folder = std::filesystem::path(CONFMAT_FUZZ_KEPT) / target.name;
  if (!std::filesystem::is_directory(folder)) return true;
  bool good = true;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::fprintf(stderr, "%s: %s\n", target.name, file.path().filename().c_str());
    good = execute(target, read_file(file.path()), 0) && good;
  }
  return good;
}

bool run(const Target& target, std::uint64_t count, std::uint64_t seed) {
  const auto start = std::chrono::steady_clock::now();
  if (!execute_kept(target)) return false;
  const std::vector<Bytes> seeds = target.seeds == nullptr ? std::vector<Bytes>{} : target.seeds();
  for (const Bytes& input : seeds) {
    if (!execute(target, input, 0)) return false;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!execute(target, input_for(seed + i, seeds), seed + i)) return false;
  }
  set_clocks(0, 0);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%s: %llu executions, no find (%.1f s)\n", target.name,
              static_cast<unsigned long long>(count), took.count());
  return true;
}

bool number(std::string_view text, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

int main_of(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    for (const Target* target : targets()) std::printf("%s\n", target->name);
    return 0;
  }
  const auto wanted = std::find_if(targets().begin(), targets().end(),
                                   [&](const Target* one) { return arguments[0] == one->name; });
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  if (wanted == targets().end() || arguments.size() < 2 || arguments.size() > 3 ||
      (arguments.size() == 3 && !number(arguments[2], seed))) {
    std::fprintf(stderr, "usage: confmat_fuzz [TARGET COUNT [SEED] | TARGET FILE]\n");
    return 2;
  }
  if (number(arguments[1], count)) {
    const std::uint64_t slow = (*wanted)->slow;
    return run(**wanted, count / slow + (count % slow > 0 ? 1 : 0), seed) ? 0 : 1;
  }
  if (!std::filesystem::is_regular_file(arguments[1])) {
    std::fprintf(stderr, "%s is neither a count nor a file\n", arguments[1].c_str());
    return 2;
  }
  return execute(**wanted, read_file(arguments[1]), 0) ? 0 : 1;
}

}  // namespace

Target::Target(const char* name_, void (*run_)(std::span<const std::uint8_t>),
               std::vector<Bytes> (*seeds_)(), std::uint64_t slow_)
    : name(name_), run(run_), seeds(seeds_), slow(slow_) {
  targets().push_back(this);
}

}  // namespace confmat::fuzz

int main(int argc, char** argv) {
  using confmat::fuzz::on_signal;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_set_death_callback(confmat::fuzz::report);
#else
  std::signal(SIGSEGV, on_signal);
  std::signal(SIGBUS, on_signal);
#endif
  std::signal(SIGABRT, on_signal);
  std::signal(SIGFPE, on_signal);
  std::signal(SIGALRM, on_signal);
  std::signal(SIGPROF, on_signal);
  return confmat::fuzz::main_of({argv + 1, argv + argc});
}
