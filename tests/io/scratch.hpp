// A folder for the files of one test, and shorthands to fill and read it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "nhot/base/error.hpp"

namespace nhot {

class Scratch : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::temp_directory_path() /
        ("nhot-" + std::to_string(getpid()) + "-" + info->test_suite_name() + "-" + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  std::string get(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

/// "input: problem | hint" or "environment: problem | hint" of what the action throws.
template <class Action>
std::string thrown(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return std::string("input: ") + error.what() + " | " + error.hint();
  } catch (const EnvironmentError& error) {
    return std::string("environment: ") + error.what() + " | " + error.hint();
  }
  return "nothing";
}

/// True when the text holds the part; shows both when not.
inline ::testing::AssertionResult holds(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "\n  '" << text << "'\n  does not hold\n  '" << part << "'";
}

}  // namespace nhot
