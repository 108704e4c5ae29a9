#include "nhot/io/model/model_file.hpp"

#include <charconv>
#include <filesystem>
#include <new>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"
#include "nhot/io/file_bytes.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/io/model/line_reader.hpp"
#include "nhot/model/generators.hpp"

namespace nhot {

const FormatList& text_formats() {
  static const FormatList table = {
      {"coo", {".coo"}, "quadratic models, spin or binary", true, true, read_coo, write_coo},
      {"qubo", {".qubo"}, "quadratic models, binary", false, true, read_qubo, write_qubo},
      {"gset",
       {".gset", ".rudy", ".mc"},
       "graphs: energy is minus the cut",
       false,
       true,
       read_gset,
       write_gset},
      {"mtx",
       {".mtx"},
       "quadratic models, spin or binary",
       true,
       true,
       read_matrix_market,
       write_matrix_market},
      {"hubo",
       {".hubo"},
       "polynomials of any degree, spin or binary",
       true,
       true,
       read_hubo,
       write_hubo},
      {"kdpp", {".kdpp"}, "k-DPPs: the kernel L", false, true, read_kdpp, write_kdpp},
      {"kdpp-features",
       {},
       "k-DPPs: the features B of L = B B'",
       false,
       true,
       read_kdpp_features,
       write_kdpp_features},
      {"edges",
       {".edges", ".edgelist"},
       "quadratic models with names of the sites",
       true,
       true,
       read_edges,
       write_edges,
       true},
  };
  return table;
}

namespace {

std::vector<std::string> format_names(const FormatList& formats) {
  std::vector<std::string> names;
  for (const Format& format : formats) names.push_back(format.name);
  return names;
}

std::string extension_list(const FormatList& formats) {
  std::string list;
  for (const Format& format : formats)
    for (const std::string& extension : format.extensions)
      list += (list.empty() ? "" : ", ") + extension;
  return list;
}

// A format, the place, and the convention asked for by NAME:spin or NAME:binary.
struct Choice {
  const Format* format = nullptr;
  Format::Place place;
  std::optional<Convention> demanded;
};

const Format* by_extension(const FormatList& formats, const std::string& path) {
  const std::string extension = in_small_letters(std::filesystem::path(path).extension().string());
  for (const Format& format : formats)
    for (const std::string& known : format.extensions)
      if (extension == known) return &format;
  return nullptr;
}

const Format* by_name(const FormatList& formats, std::string_view name) {
  for (const Format& format : formats)
    if (format.name == name) return &format;
  return nullptr;
}

constexpr const char* standard_input = "-";

// "weights.h5#layer/1" is the group layer/1 of weights.h5.
Format::Place split_group(const std::string& path) {
  const std::size_t at = path.find('#');
  if (at == std::string::npos) return {path, {}};
  return {path.substr(0, at), path.substr(at + 1)};
}

Choice choose(const FormatList& formats, const std::string& path, std::string_view wanted) {
  Choice choice;
  if (!wanted.empty()) {
    const std::size_t colon = wanted.find(':');
    const std::string name(wanted.substr(0, colon));
    choice.format = by_name(formats, name);
    if (!choice.format)
      throw InputError("unknown format '" + name + "'",
                       unknown_name_hint(name, format_names(formats)));
    if (colon != std::string_view::npos) {
      const std::string_view vartype = wanted.substr(colon + 1);
      if (!choice.format->names_vartype || (vartype != "spin" && vartype != "binary"))
        throw InputError("unknown format '" + std::string(wanted) + "'",
                         "known: coo:spin, coo:binary, mtx:spin, mtx:binary, hubo:spin, "
                         "hubo:binary, edges:spin, "
                         "edges:binary");
      choice.demanded = vartype == "spin" ? Convention::spin : Convention::binary;
    }
  } else {
    choice.format = by_extension(formats, path);
    if (!choice.format) choice.format = by_extension(formats, split_group(path).file);
    if (!choice.format)
      throw InputError("the extension of '" + path + "' does not say which format it has",
                       "known extensions: " + extension_list(formats) +
                           "; or name the format, for example {format gset} for a Gset graph");
  }
  choice.place = choice.format->is_text ? Format::Place{path, {}} : split_group(path);
  return choice;
}

}  // namespace

ReadResult read_model(const FormatList& formats, const std::string& path, std::string_view format) {
  if (path == standard_input) {
    if (format.empty())
      throw InputError("a model from standard input has no extension that says its format",
                       "name it, for example {format edges}");
    const Choice choice = choose(formats, path, format);
    if (!choice.format->is_text)
      throw InputError(
          "a model of the format " + choice.format->name + " cannot be read from standard input",
          "write it to a file, and name that");
    return choice.format->read({"standard input", {}}, read_standard_input(), choice.demanded);
  }
  // A missing file is reported as missing, even when its extension says nothing.
  if (format.empty() && !by_extension(formats, path) &&
      !by_extension(formats, split_group(path).file))
    require_file(path);
  const Choice choice = choose(formats, path, format);
  require_file(choice.place.file);
  try {
    const std::string bytes = choice.format->is_text ? read_file(choice.place.file) : std::string();
    return choice.format->read(choice.place, bytes, choice.demanded);
  } catch (const std::bad_alloc&) {
    throw EnvironmentError("not enough memory to read '" + path + "'",
                           "use a machine with more memory");
  }
}

std::vector<std::string> write_model(const FormatList& formats, const Model& model,
                                     const std::string& path, std::string_view format, bool force) {
  const Choice choice = choose(formats, path, format);
  if (choice.demanded)
    throw InputError("the format '" + std::string(format) + "' is for reading",
                     "write with {format " + choice.format->name + "}");
  if (!choice.format->write)
    throw InputError("models are not written as " + choice.format->name + " files, only read",
                     "write .coo, .qubo, .mtx or .edges");
  AtomicFile out(choice.place.file, force);
  std::vector<std::string> notes = choice.format->write(model, choice.place, out);
  out.commit();
  if (!model.names().empty() && !choice.format->keeps_names)
    notes.push_back("the format " + choice.format->name +
                    " numbers the sites: their names are left out (edges keeps them)");
  return notes;
}

ReadResult load_model(const FormatList& formats, const std::string& spec_or_path,
                      std::string_view format) {
  if (spec_or_path == standard_input) return read_model(formats, spec_or_path, format);
  std::error_code error;
  const bool exists = std::filesystem::exists(split_group(spec_or_path).file, error);
  // A format asks for a file; without such a file it does no harm beside a spec.
  if (is_model_spec(spec_or_path) && (format.empty() || !exists))
    return {model_from_spec(spec_or_path), {}};
  if (!format.empty()) return read_model(formats, spec_or_path, format);
  // What is no file and has no look of one ("feromagnet:60x60", "rmb") was meant as a spec.
  const bool like_a_file =
      spec_or_path.find('/') != std::string::npos ||
      std::filesystem::path(spec_or_path.substr(0, spec_or_path.find('#'))).has_extension();
  if (!exists && (spec_or_path.find(':') != std::string::npos || !like_a_file)) {
    try {
      return {model_from_spec(spec_or_path), {}};
    } catch (const InputError& problem) {
      throw InputError(problem.what(), problem.hint() + "; or the path of a model file (" +
                                           extension_list(formats) + ")");
    }
  }
  return read_model(formats, spec_or_path, format);
}

QuadraticModel quadratic_for_writing(const Model& model, std::optional<Convention> wanted,
                                     std::vector<std::string>& notes) {
  if (model.rbm())
    notes.emplace_back("the RBM is written as a quadratic model of its " +
                       std::to_string(model.sites()) + " units, visible units first");
  QuadraticModel quadratic =
      model.quadratic() ? *model.quadratic() : QuadraticModel(quadratic_terms(model));
  if (!wanted || quadratic.convention() == *wanted) return quadratic;
  std::size_t rounded = 0;
  quadratic = QuadraticModel(convert(quadratic, *wanted, &rounded));
  const bool spin = *wanted == Convention::spin;
  notes.push_back(std::string("converted to ") + (spin ? "spins (-1, +1)" : "bits (0, 1)") +
                  (rounded == 0 ? ", exactly"
                                : "; " + std::to_string(rounded) +
                                      " values were rounded to the nearest double"));
  return quadratic;
}

namespace {

template <class... Arguments>
void append_characters(AtomicFile& out, Arguments... arguments) {
  char text[512];  // the longest double without an exponent has about 330 characters
  const auto [end, error] = std::to_chars(text, text + sizeof text, arguments...);
  if (error != std::errc()) throw InternalError("a number did not fit its buffer");
  out.append({text, static_cast<std::size_t>(end - text)});
}

}  // namespace

void append_number(AtomicFile& out, double value) { append_characters(out, value); }

void append_plain_number(AtomicFile& out, double value) {
  append_characters(out, value, std::chars_format::fixed);
}

void append_number(AtomicFile& out, std::uint64_t value) { append_characters(out, value); }

}  // namespace nhot
