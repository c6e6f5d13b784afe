# Writes the files of a folder as C++: cmake -DFOLDER=… -DOUTPUT=… -P embed.cmake
file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*)
set(arrays "")
set(rows "")
set(number 0)
foreach(file ${files})
  file(READ ${FOLDER}/${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char file_${number}[] = {${bytes}'\\0'};\n")
  string(APPEND rows "    {\"${file}\", {file_${number}, sizeof file_${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Generated from the files under web/.
#include \"http/assets.h\"

#include <map>

namespace quire::http {
namespace {

${arrays}
const std::map<std::string_view, std::string_view> assets = {
${rows}};

}  // namespace

std::string_view asset(std::string_view name) { return assets.at(name); }

}  // namespace quire::http
")
