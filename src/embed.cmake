# Writes the files of a folder as C++, with a function that finds one by its name, declared in a header:
# cmake -DFOLDER=… -DHEADER=… -DNAMESPACE=… -DFUNCTION=… -DOUTPUT=… -P embed.cmake
# A folder of style sheets is one file: they stand in it in the order of their names.
file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*)
set(arrays "")
set(rows "")
set(number 0)
foreach(file ${files})
  set(pieces ${FOLDER}/${file})
  if(IS_DIRECTORY ${FOLDER}/${file})
    file(GLOB pieces ${FOLDER}/${file}/*.css)
  endif()
  if(NOT pieces)  # a folder of another kind, which is embedded by itself
    continue()
  endif()
  set(bytes "")
  foreach(piece ${pieces})
    file(READ ${piece} more HEX)
    if(piece MATCHES "[.]js$")  # browsers need no comments and no indents
      file(READ ${piece} text)
      string(REGEX REPLACE "\n *//[^\n]*" "" text "\n${text}")
      string(REGEX REPLACE " // [^\n\"'`]*\n" "\n" text "${text}")
      string(REGEX REPLACE "\n +" "\n" text "${text}")
      string(HEX "${text}" more)
    endif()
    string(APPEND bytes ${more})
  endforeach()
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char file_${number}[] = {${bytes}'\\0'};\n")
  string(APPEND rows "    {\"${file}\", {file_${number}, sizeof file_${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Generated from the files of a folder.
#include \"${HEADER}\"

#include <map>

namespace ${NAMESPACE} {
namespace {

${arrays}
const std::map<std::string_view, std::string_view> assets = {
${rows}};

}  // namespace

std::string_view ${FUNCTION}(std::string_view name) { return assets.at(name); }

}  // namespace ${NAMESPACE}
")
