#include "word_index/terms.h"

#include "words/terms.h"

namespace quire::word_index {

Terms terms_of(const Comment& comment) {
  thread_local words::Terms terms;
  return terms.of(comment.title, comment.text, comment.language);
}

bool same_words(const Comment& a, const Comment& b) {
  return a.title == b.title && a.text == b.text && a.language == b.language;
}

}  // namespace quire::word_index
