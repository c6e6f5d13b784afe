#include "service/importer.h"

#include <cstring>

#include "model/attributes.h"
#include "model/patch.h"
#include "model/validate.h"

namespace quire {

Ulid RowIds::id(const Draft& row) {
  auto rating = std::to_string(row.rating);
  auto created = std::to_string(row.created_ms.value());
  std::vector<std::string_view> parts{row.product, row.language, rating,  created,
                                      row.author,  row.title,    row.text};
  std::string attributes;
  if (!row.attributes.empty()) {
    append_json(attributes, row.attributes);
    parts.push_back(attributes);
  }
  Digest digest = sha256(parts);
  std::uint64_t name;
  std::memcpy(&name, digest.data(), sizeof name);
  if (auto before = seen_[name]++; before > 0) {
    digest = sha256(
        {{reinterpret_cast<const char*>(digest.data()), digest.size()}, std::to_string(before)});
  }
  std::array<std::uint8_t, 10> entropy;
  std::memcpy(entropy.data(), digest.data(), entropy.size());
  return Ulid::make(*row.created_ms, entropy);
}

Status Importer::add(std::string_view line) {
  auto row = parse_row(line);
  if (!row) return row.error();
  Draft& draft = row->draft;
  if (auto error = check_time(draft, now_ms_)) return std::move(*error);
  auto misfits = check_types(schema_, draft.attributes);
  if (!misfits.empty()) return invalid_comment(std::move(misfits));
  Ulid id = row->id ? *row->id : ids_.id(draft);
  ++rows_;
  bytes_ += line.size() + sizeof(Comment);
  batch_.push_back(comment_of(id, std::move(draft)));
  if (batch_.size() >= batch_rows_ || bytes_ >= batch_bytes) flush();
  return Done{};
}

Status Importer::finish() {
  if (!batch_.empty()) flush();
  join();
  if (failed_) return *failed_;
  return Done{};
}

void Importer::flush() {
  join();
  bytes_ = 0;
  auto batch = std::exchange(batch_, {});
  if (failed_) return;
  writing_rows_ = batch.size();
  writing_ = std::async(std::launch::async, [this, batch = std::move(batch)]() mutable {
    return write_(std::move(batch));
  });
}

void Importer::join() {
  if (!writing_.valid()) return;
  auto written = writing_.get();
  if (written) {
    added_ += *written;
    known_ += writing_rows_ - *written;
  }
  if (!written) failed_ = written.error();
}

}  // namespace quire
