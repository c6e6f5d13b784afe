#include "store/embedded/upkeep/verify_words.h"

#include "lmdb/cursor.h"
#include "store/embedded/documents.h"
#include "store/embedded/format/rows.h"
#include "word_index/edit.h"
#include "word_index/terms.h"
#include "word_index/verify.h"

namespace quire::embedded {

void verify_words(const Databases& databases, const lmdb::Transaction& txn,
                  const std::function<void(std::string)>& report) {
  word_index::Verification words(databases.words, databases.index, txn);
  while (words.begin_pass()) {
    for (const auto& entry : lmdb::Entries(txn, databases.comments)) {
      if (entry.key().size() != Key<20>::size) continue;
      words.expect(get_u32(entry.key().data()), id_at_end(entry.key()), [&] {
        auto comment = read_comment(databases.comments, entry);
        return comment ? word_index::terms_of(*comment) : word_index::Terms();
      });
    }
    words.end_pass();
  }
  for (const auto& what : words.reports()) report(what);
}

}  // namespace quire::embedded
