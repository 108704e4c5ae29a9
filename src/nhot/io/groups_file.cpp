#include "nhot/io/groups_file.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/io/file_bytes.hpp"
#include "nhot/io/model/line_reader.hpp"

namespace nhot {
namespace {

constexpr std::string_view separators = " \t\r\f\v,;";
constexpr std::string_view how_to =
    "write a line for each group: how many sites differ from the reference, a colon, the sites, as "
    "in '2: 0 1 5..9'; or 'one-hot 3: 10..18', 'free: 20 21', 'free: rest'";

std::string_view trimmed_field(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(separators);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(separators) - begin + 1);
}

/// What a line says of its sites.
struct Heading {
  enum class Kind { count, one_hot, free } kind = Kind::count;
  Site number = 0;  // the distance, or the size of a block
};

class GroupsParser {
 public:
  GroupsParser(const std::string& file, std::string_view text, Site sites, const SiteNames& names)
      : reader_(file, text), sites_(sites), names_(names), line_of_(sites, 0) {
    for (std::size_t i = 0; i < names.size(); ++i) by_name_.emplace(names[i], static_cast<Site>(i));
  }

  std::vector<SiteGroup> parse() {
    while (reader_.next()) {
      const std::string_view line =
          trimmed_field(reader_.line().substr(0, reader_.line().find('#')));
      if (!line.empty()) read_line(line);
    }
    finish_rest();
    for (Site i = 0; i < sites_; ++i)
      if (line_of_[i] == 0)
        reader_.fail_file("site " + names_[i] + " is in no group",
                          "add it to a line; 'free: rest' frees all sites that no other line has");
    return std::move(groups_);
  }

 private:
  void read_line(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      reader_.fail(quoted(line) + " has no colon", std::string(how_to));
    const Heading heading = read_heading(trimmed_field(line.substr(0, colon)));
    std::vector<Site> members;
    bool rest = false;
    for (std::string_view left = line.substr(colon + 1);;) {
      left = trimmed_field(left);
      if (left.empty()) break;
      const std::string_view field = left.substr(0, left.find_first_of(separators));
      left.remove_prefix(field.size());
      if (field == "rest" && by_name_.find("rest") == by_name_.end())
        rest = true;
      else
        read_field(field, members);
    }
    if (!rest) return add(heading, members);
    if (rest_)
      reader_.fail("two lines have 'rest'", "the sites that no other line has go to one line");
    rest_ = {heading, std::move(members), reader_.number()};
  }

  Heading read_heading(std::string_view text) const {
    if (text == "free") return {Heading::Kind::free, 0};
    const bool one_hot = text.starts_with("one-hot");
    const auto number = parse_integer(std::string(one_hot ? trimmed_field(text.substr(7)) : text));
    if (!number || *number < (one_hot ? 1 : 0))
      reader_.fail(quoted(text) + " before the colon is no number of sites", std::string(how_to));
    if (*number > std::int64_t{sites_})
      reader_.fail(quoted(text) + " is more than the model has sites, " + std::to_string(sites_),
                   "give a number up to that");
    return {one_hot ? Heading::Kind::one_hot : Heading::Kind::count, static_cast<Site>(*number)};
  }

  void read_field(std::string_view field, std::vector<Site>& members) {
    if (const auto named = by_name_.find(std::string(field)); named != by_name_.end())
      return take(named->second, members);
    const std::size_t dots = field.find("..");
    const Site first = reader_.site(field.substr(0, dots), 0, sites_);
    const Site last =
        dots == std::string_view::npos ? first : reader_.site(field.substr(dots + 2), 0, sites_);
    if (last < first)
      reader_.fail("the range " + quoted(field) + " runs backwards", "write the lower site first");
    for (Site i = first; i <= last; ++i) take(i, members);
  }

  void take(Site i, std::vector<Site>& members) {
    if (line_of_[i] != 0)
      reader_.fail("site " + names_[i] + " is in line " + std::to_string(line_of_[i]) +
                       (line_of_[i] == reader_.number() ? " twice" : " already"),
                   "a site is in one group, or free");
    line_of_[i] = reader_.number();
    members.push_back(i);
  }

  void add(const Heading& heading, const std::vector<Site>& members) {
    if (heading.kind == Heading::Kind::free) return;
    if (members.empty()) reader_.fail("the group has no sites", std::string(how_to));
    if (heading.kind == Heading::Kind::count) {
      if (heading.number > members.size())
        reader_.fail(std::to_string(heading.number) + " sites are to differ in a group of " +
                         std::to_string(members.size()),
                     "give a number up to the size of the group");
      groups_.push_back({members, heading.number});
      return;
    }
    if (members.size() % heading.number != 0)
      reader_.fail(std::to_string(members.size()) + " sites are no blocks of " +
                       std::to_string(heading.number),
                   "give a size that divides the number of sites");
    for (std::size_t begin = 0; begin < members.size(); begin += heading.number) {
      const auto from = members.begin() + static_cast<std::ptrdiff_t>(begin);
      groups_.push_back({{from, from + heading.number}, 1});
    }
  }

  void finish_rest() {
    if (!rest_) return;
    for (Site i = 0; i < sites_; ++i)
      if (line_of_[i] == 0) {
        line_of_[i] = rest_->line;
        rest_->members.push_back(i);
      }
    add(rest_->heading, rest_->members);
  }

  struct Rest {
    Heading heading;
    std::vector<Site> members;
    std::size_t line;
  };

  LineReader reader_;
  Site sites_;
  SiteNames names_;
  std::map<std::string, Site> by_name_;
  std::vector<std::size_t> line_of_;  // by site; 0: none yet
  std::optional<Rest> rest_;
  std::vector<SiteGroup> groups_;
};

}  // namespace

std::vector<SiteGroup> parse_groups(const std::string& file, std::string_view text, Site sites,
                                    const SiteNames& names) {
  return GroupsParser(file, text, sites, names).parse();
}

std::vector<SiteGroup> load_groups(const std::string& path, Site sites, const SiteNames& names) {
  constexpr std::string_view words = "one-hot:";
  if (path.starts_with(words)) {
    const auto size = parse_integer(path.substr(words.size()));
    if (!size || *size < 1 || sites % *size != 0)
      throw InputError("groups '" + path + "': " + std::to_string(sites) +
                           " sites are no blocks of '" + path.substr(words.size()) + "'",
                       "give a size that divides the number of sites, as in one-hot:3, or a file");
    return parse_groups(path, "one-hot " + std::to_string(*size) + ": rest", sites);
  }
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw InputError("cannot find the groups '" + path + "'",
                     "give the path of a file, or one-hot:K for blocks of K sites with distance 1");
  return parse_groups(path, read_file(path), sites, names);
}

}  // namespace nhot
