#include "word_index/state.h"

#include <algorithm>

#include "lmdb/numbers.h"
#include "word_index/varint.h"
#include "words/rules.h"

namespace quire::word_index {

std::string encode(const Work& work) {
  std::string out(9, static_cast<char>(work.step));
  lmdb::put_u64(out.data() + 1, work.passed);
  return out.append(work.last);
}

Work decode_work(std::string_view bytes) {
  if (bytes.size() != 9 + CommentKey::size || bytes[0] < 1 || bytes[0] > 3) damaged();
  Work work{static_cast<Work::Step>(bytes[0]), lmdb::get_u64(bytes.data() + 1)};
  std::copy(bytes.begin() + 9, bytes.end(), work.last.bytes.begin());
  return work;
}

bool Contents::takes(const CommentKey& comment) const {
  if (state == State::ready) return true;
  bool begun = changes() && work->passed > 0;
  return begun && std::string_view(comment) <= std::string_view(work->last);
}

Contents read_contents(const Databases& databases, const lmdb::Transaction& txn) {
  Contents contents;
  auto segments = txn.find(databases.segments, segments_key);
  if (!segments) return contents;
  contents.segments = decode_segments(*segments);
  if (auto work = txn.find(databases.segments, work_key)) contents.work = decode_work(*work);
  bool keeps = !contents.work || contents.work->step == Work::Step::build;
  if (keeps && contents.segments.rules != words::digest(words::rules()))
    contents.state = State::other_rules;
  else if (contents.work)
    contents.state = contents.work->step == Work::Step::drop ? State::dropping : State::building;
  else
    contents.state = State::ready;
  return contents;
}

}  // namespace quire::word_index
