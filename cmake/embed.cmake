# Writes a source file that holds other files as strings:
#   cmake -DOUTPUT=assets.cpp "-DFILES=a.js;b.css" -P embed.cmake
# A file that does not exist is left out; nhot::asset() then gives an empty string.
set(text "// Made by cmake/embed.cmake.\n#include \"nhot/report/assets.hpp\"\n\nnamespace nhot {\n\n")
string(APPEND text "std::string_view asset(std::string_view name) {\n")
foreach(file IN LISTS FILES)
  if(NOT EXISTS "${file}")
    continue()
  endif()
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" content)
  # In pieces: compilers limit the length of one literal.
  string(LENGTH "${content}" length)
  string(APPEND text "  if (name == \"${name}\")\n    return")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${content}" ${at} 12000 piece)
    string(APPEND text " R\"~nhot~(${piece})~nhot~\"\n")
    math(EXPR at "${at} + 12000")
  endwhile()
  string(APPEND text "        \"\";\n")
endforeach()
string(APPEND text "  return {};\n}\n\n}  // namespace nhot\n")
file(WRITE "${OUTPUT}" "${text}")
