// The table of model formats: names, extensions, what each can hold, and its reader and writer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nhot/io/atomic_file.hpp"
#include "nhot/io/model/model_file.hpp"

namespace nhot {

/// One format. Readers get the file's name (for messages) and its bytes; the HDF5 reader opens the
/// file itself. Writers append to a file.
struct Format {
  std::string name;
  std::vector<std::string> extensions;  // with the dot
  std::string holds;                    // what it can hold, for help texts
  bool names_vartype;                   // NAME:spin and NAME:binary can be asked for
  bool is_text;  // or else bytes that a reader gets whole; false: it opens the file itself

  /// Part of the path after '#': a group inside the file (HDF5).
  struct Place {
    std::string file;
    std::string group;
  };
  ReadResult (*read)(const Place& place, std::string_view bytes,
                     std::optional<Convention> demanded);
  std::vector<std::string> (*write)(const Model& model, const Place& place,
                                    AtomicFile& out);  // null: files of others, only read
  bool keeps_names = false;                            // of the sites
};

using FormatList = std::vector<Format>;

/// Those that need no other library; and all, HDF5 included.
const FormatList& text_formats();
const FormatList& formats();

/// The functions of model_file.hpp, for the formats of a list.
ReadResult read_model(const FormatList& formats, const std::string& path, std::string_view format);
std::vector<std::string> write_model(const FormatList& formats, const Model& model,
                                     const std::string& path, std::string_view format, bool force);
ReadResult load_model(const FormatList& formats, const std::string& spec_or_path,
                      std::string_view format);

// One file each.
ReadResult read_coo(const Format::Place& place, std::string_view bytes, std::optional<Convention>);
std::vector<std::string> write_coo(const Model& model, const Format::Place& place, AtomicFile& out);
ReadResult read_qubo(const Format::Place& place, std::string_view bytes, std::optional<Convention>);
std::vector<std::string> write_qubo(const Model& model, const Format::Place& place,
                                    AtomicFile& out);
ReadResult read_gset(const Format::Place& place, std::string_view bytes, std::optional<Convention>);
std::vector<std::string> write_gset(const Model& model, const Format::Place& place,
                                    AtomicFile& out);
ReadResult read_matrix_market(const Format::Place& place, std::string_view bytes,
                              std::optional<Convention> demanded);
std::vector<std::string> write_matrix_market(const Model& model, const Format::Place& place,
                                             AtomicFile& out);
ReadResult read_hubo(const Format::Place& place, std::string_view bytes,
                     std::optional<Convention> demanded);
std::vector<std::string> write_hubo(const Model& model, const Format::Place& place,
                                    AtomicFile& out);
ReadResult read_kdpp(const Format::Place& place, std::string_view bytes, std::optional<Convention>);
std::vector<std::string> write_kdpp(const Model& model, const Format::Place& place,
                                    AtomicFile& out);
ReadResult read_kdpp_features(const Format::Place& place, std::string_view bytes,
                              std::optional<Convention>);
std::vector<std::string> write_kdpp_features(const Model& model, const Format::Place& place,
                                             AtomicFile& out);
ReadResult read_edges(const Format::Place& place, std::string_view bytes,
                      std::optional<Convention> demanded);
std::vector<std::string> write_edges(const Model& model, const Format::Place& place,
                                     AtomicFile& out);
ReadResult read_npz(const Format::Place& place, std::string_view bytes, std::optional<Convention>);
ReadResult read_bqm(const Format::Place& place, std::string_view bytes, std::optional<Convention>);
ReadResult read_rbm_hdf5(const Format::Place& place, std::string_view, std::optional<Convention>);
std::vector<std::string> write_rbm_hdf5(const Model& model, const Format::Place& place,
                                        AtomicFile& out);

/// The model as a quadratic one, for a writer: in the convention it has, or in the one wanted, with
/// notes about what was done.
QuadraticModel quadratic_for_writing(const Model& model, std::optional<Convention> wanted,
                                     std::vector<std::string>& notes);

/// Appends the shortest text that reads back to the same double.
void append_number(AtomicFile& out, double value);
/// The same without an exponent, for readers that know none (dimod).
void append_plain_number(AtomicFile& out, double value);
void append_number(AtomicFile& out, std::uint64_t value);

}  // namespace nhot
