// Encodings of `data`: their bytes in the table and on the wire, and their processor time.
#include <algorithm>
#include <stdexcept>

#include "answer.h"
#include "measure.h"
#include "model/document.h"
#include "times.h"

namespace quire::bench {
namespace {

constexpr int rounds = 15;

template <class Range, class Value>
double mean(const Range& range, Value value) {
  double sum = 0;
  for (const auto& each : range) sum += static_cast<double>(value(each));
  return sum / static_cast<double>(range.size());
}

std::vector<List> of_size(std::vector<List> lists, std::size_t size) {
  std::erase_if(lists, [&](const List& list) { return list.newest.size() < size; });
  if (lists.empty()) throw std::runtime_error("these comments fill no page");
  return lists;
}

struct Pages {
  explicit Pages(const std::vector<Comment>& comments)
      : products(lists_of(indexes[0], comments, page_rows)),
        full(of_size(products, page_rows)),
        shares(of_size(lists_of(indexes[3], comments, share_rows), share_rows)) {}

  std::vector<List> products, full, shares;
};

void measure_sizes(const Form& form, const std::vector<Comment>& comments, const Pages& pages,
                   DataFigures& out) {
  std::vector<std::size_t> sizes;
  double entries = 0;
  for (const auto& comment : comments) {
    sizes.push_back(form.encode(comment).size());
    List list{"GSIPK", list_key(comment.product, cell(comment.language, comment.rating)), {}};
    entries += static_cast<double>(entry_bytes(form, list, comment));
  }
  std::sort(sizes.begin(), sizes.end());
  auto part = [&](std::size_t percent) {
    return static_cast<double>(sizes[(sizes.size() - 1) * percent / 100]);
  };
  auto units = [&](const List& list) { return read_units(form, list); };
  out.form = form.name;
  out.mean = mean(sizes, [](auto size) { return size; });
  out.p50 = part(50);
  out.p99 = part(99);
  out.entry = entries / static_cast<double>(comments.size());
  out.page_units = mean(pages.full, units);
  out.any_page_units = mean(pages.products, units);
  out.share_units = mean(pages.shares, units);
}

// Writes every page in one encoding and reads it back.
struct Round {
  double encode, decode;
  std::size_t bytes;
};
Round go_round(const Form& form, const std::vector<List>& pages) {
  std::vector<std::string> bodies;
  std::vector<std::vector<Comment>> read;
  Round round{};
  round.encode = time_of([&] {
    for (const auto& page : pages) bodies.push_back(answer(form, page));
  });
  round.decode = time_of([&] {
    for (std::size_t i = 0; i < pages.size(); ++i)
      read.push_back(read_answer(form, bodies[i], pages[i].newest[0].product));
  });
  for (std::size_t i = 0; i < pages.size(); ++i) {
    round.bytes += bodies[i].size();
    if (read[i] != pages[i].newest)
      throw std::runtime_error(std::string(form.name) + " gives back other comments");
  }
  return round;
}

}  // namespace

std::vector<DataFigures> measure_data(const std::vector<Comment>& comments) {
  Pages pages(comments);
  auto count = static_cast<double>(pages.full.size());
  std::vector<DataFigures> figures(forms().size());
  std::vector<std::vector<double>> encodes(forms().size()), decodes(forms().size());
  for (int i = 0; i < rounds; ++i) {
    for (std::size_t form = 0; form < forms().size(); ++form) {
      auto round = go_round(forms()[form], pages.full);
      encodes[form].push_back(round.encode / count);
      decodes[form].push_back(round.decode / count);
      figures[form].wire = static_cast<double>(round.bytes) / count;
    }
  }
  for (std::size_t form = 0; form < forms().size(); ++form) {
    measure_sizes(forms()[form], comments, pages, figures[form]);
    figures[form].encode = median(encodes[form]);
    figures[form].decode = median(decodes[form]);
  }
  return figures;
}

double measure_documents(const std::vector<Comment>& comments) {
  auto pages = Pages(comments).full;
  std::vector<double> times;
  std::size_t bytes = 0;
  for (int i = 0; i < rounds; ++i) {
    times.push_back(time_of([&] {
      for (const auto& page : pages)
        for (const auto& comment : page.newest) bytes += encode_document(comment).size();
    }));
  }
  if (bytes == 0) throw std::runtime_error("a document is empty");
  return median(times) / static_cast<double>(pages.size());
}

}  // namespace quire::bench
