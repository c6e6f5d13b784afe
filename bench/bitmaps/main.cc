// What changes of the bitmap index cost within one process, and how many bytes it takes. Prints one
// line of JSON a measurement.
#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <random>

#include "../ranks/ids.h"
#include "../ranks/times.h"
#include "bitmap_index/edit.h"
#include "bitmap_index/numbers.h"
#include "lmdb/environment.h"

namespace quire::bench {
namespace {

using namespace bitmap_index;

constexpr std::size_t batch = 200'000, in_one_transaction = 1'000;

// Values of five facets, of which few are frequent: of 5, 20, 2, 2 and 50 values.
class Comments {
 public:
  Comments(std::uint64_t hash_key, std::size_t facets) : facets_(facets) {
    for (int i = 0; i < 20; ++i) {
      texts_.push_back(fmt::format("choice {}", i));
      codes_.push_back(code_of_text(hash_key, texts_.back()));
    }
  }

  std::vector<Value> values() {
    std::vector<Value> values;
    values.reserve(facets_);
    auto text = skewed(20);
    values.push_back({0, codes_[text], 0, false, texts_[text]});
    values.push_back(number(1, 5 - static_cast<std::int64_t>(skewed(5))));
    if (facets_ == 2) return values;
    values.push_back({2, random_() % 10 > 0, 0, false, {}});
    values.push_back({3, random_() % 4 == 0, 0, false, {}});
    values.push_back(number(4, static_cast<std::int64_t>(skewed(50))));
    return values;
  }

  static Value number(FacetNumber facet, std::int64_t number) {
    auto [code, rest] = encode_number(number);
    return {facet, code, rest, true, {}};
  }

  std::uint64_t random() { return random_(); }

 private:
  // Below `end`; 0 is the most frequent, each further one rarer (geometric up to the end).
  std::size_t skewed(std::size_t end) {
    auto part = static_cast<double>(random_() >> 11) * 0x1p-53;
    return static_cast<std::size_t>(part * part * part * static_cast<double>(end));
  }

  std::size_t facets_;
  std::mt19937_64 random_{7};
  std::vector<std::string> texts_;
  std::vector<Code> codes_;
};

class Index {
 public:
  explicit Index(const std::string& directory) {
    std::filesystem::create_directories(directory);
    environment_.emplace(lmdb::Options{.directory = directory});
    mdb_env_set_flags(environment_->get(), MDB_NOSYNC, 1);
    write([&](lmdb::WriteTransaction& txn) {
      db = open_databases(txn.get(), MDB_CREATE, 0x9E3779B97F4A7C15);
    });
  }

  void write(const std::function<void(lmdb::WriteTransaction&)>& change) {
    lmdb::WriteTransaction txn(*environment_);
    change(txn);
    txn.commit();
  }

  double bytes(MDB_dbi dbi) {
    lmdb::ReadTransaction txn(*environment_);
    MDB_stat stat{};
    lmdb::check("reading", mdb_stat(txn.get(), dbi, &stat));
    auto pages = stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages;
    double bytes = static_cast<double>(pages * stat.ms_psize);
    if (dbi != db.ids) return bytes;
    return bytes + ids_bytes(txn.get());
  }

  Databases db;

 private:
  // The ids of a product are a tree of their own, which mdb_stat leaves out.
  double ids_bytes(const lmdb::Transaction& txn) {
    std::uintptr_t last = 0;
    double pages = 0;
    lmdb::Cursor cursor(txn, db.ids);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      auto page = reinterpret_cast<std::uintptr_t>(cursor.value().data()) / 4096;
      pages += page != last;
      last = page;
    }
    return pages * 4096 * 1.006;  // leaves, and a branch page for 160 of them
  }

  std::optional<lmdb::Environment> environment_;
};

void print(std::string_view name, double per_second) {
  fmt::print(R"({{"name":"{}","per_second":{:.0f}}})"
             "\n",
             name, per_second);
  std::fflush(stdout);
}

void print_bytes(Index& index, std::string_view name, std::size_t comments) {
  auto each = [&](MDB_dbi dbi) { return index.bytes(dbi) / static_cast<double>(comments); };
  auto ids = each(index.db.ids), blocks = each(index.db.blocks), counts = each(index.db.counts);
  fmt::print(R"({{"name":"{}","ids":{:.2f},"blocks":{:.2f},"counts":{:.2f},"all":{:.2f}}})"
             "\n",
             name, ids, blocks, counts, ids + blocks + counts);
}

// Sorted batches of one product, each later than the one before, or all over its time.
void measure_bulk(Index& index, Comments& comments, Product product, std::size_t count,
                  bool anywhere, std::string_view name) {
  Ids ids(count);
  std::vector<Ulid> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(ids.next());
  std::mt19937_64 random(3);
  if (anywhere) std::shuffle(all.begin(), all.end(), random);
  double taken = 0;
  for (std::size_t i = 0; i < count; i += batch) {
    std::vector<Change> changes;
    auto end = std::min(count, i + batch);
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(i),
              all.begin() + static_cast<std::ptrdiff_t>(end));
    for (auto at = i; at < end; ++at) changes.push_back({all[at], comments.values()});
    index.write([&](lmdb::WriteTransaction& txn) {
      auto begun = Clock::now();
      IndexEdit(index.db, txn).apply(product, changes);
      taken += seconds_since(begun);
    });
  }
  print(name, static_cast<double>(count) / taken);
}

void measure_products(Index& index, Comments& comments, Product products, std::string_view name) {
  auto each = batch / products;
  double taken = 0;
  std::vector<std::vector<Change>> all(products);
  for (auto& changes : all) {
    Ids ids(each);
    for (std::size_t i = 0; i < each; ++i) changes.push_back({ids.next(), comments.values()});
  }
  index.write([&](lmdb::WriteTransaction& txn) {
    auto begun = Clock::now();
    IndexEdit edit(index.db, txn);
    for (Product i = 0; i < products; ++i) edit.apply(1000 + i, all[i]);
    taken = seconds_since(begun);
  });
  print(name, static_cast<double>(batch) / taken);
}

// Single changes: within a transaction of many, and with a transaction and commit each.
void measure_single(Index& index, std::string_view name,
                    const std::function<Change(std::size_t)>& change) {
  constexpr std::size_t samples = 20'000;
  Times within, alone;
  std::size_t made = 0;
  for (std::size_t i = 0; i < samples; i += in_one_transaction) {
    index.write([&](lmdb::WriteTransaction& txn) {
      IndexEdit edit(index.db, txn);
      for (std::size_t n = 0; n < in_one_transaction; ++n) {
        auto one = change(made++);
        auto begun = Clock::now();
        edit.apply(1, {&one, 1});
        within.add(begun);
      }
    });
  }
  for (std::size_t i = 0; i < samples / 4; ++i) {
    auto one = change(made++);
    auto begun = Clock::now();
    index.write([&](lmdb::WriteTransaction& txn) { IndexEdit(index.db, txn).apply(1, {&one, 1}); });
    alone.add(begun);
  }
  fmt::print(R"({{"name":"{}","within_us":{},"alone_us":{}}})"
             "\n",
             name, within.json(), alone.json());
  std::fflush(stdout);
}

void measure_changes(Index& index, Comments& comments, std::size_t count) {
  std::mt19937_64 random(11);
  std::vector<std::pair<Ulid, std::vector<Value>>> known;
  auto voted = [&](std::size_t) {
    auto& [id, values] = known[comments.random() % known.size()];
    values[4] = Comments::number(4, decode_number({values[4].code, values[4].rest}) + 1);
    static constexpr FacetNumber votes[] = {4};
    return Change{id, values, votes};
  };
  measure_single(index, "insert at a random time", [&](std::size_t) {
    auto ms = first_ms + comments.random() % (last_ms - first_ms);
    known.emplace_back(random_id(ms, random), comments.values());
    return Change{known.back().first, known.back().second};
  });
  measure_single(index, "a vote more", voted);
  measure_single(index, "insert newest", [&](std::size_t i) {
    return Change{random_id(last_ms + i * 300, random), comments.values()};
  });
  print_bytes(index, "bytes a comment after single changes", count + 50'000);
}

void run(const std::string& directory, std::size_t count) {
  for (std::size_t facets : {2u, 5u}) {
    Index index(fmt::format("{}/bulk-{}", directory, facets));
    Comments comments(index.db.hash_key, facets);
    measure_bulk(index, comments, 1, batch, false, fmt::format("bulk, {} facets", facets));
    measure_products(index, comments, 2000, fmt::format("bulk, {} facets, 2000 products", facets));
  }
  {
    Index index(directory + "/anywhere");
    Comments comments(index.db.hash_key, 5);
    measure_bulk(index, comments, 1, count, true, "batches all over the product");
    print_bytes(index, "bytes a comment after batches all over", count);
  }
  Index index(directory + "/one");
  Comments comments(index.db.hash_key, 5);
  measure_bulk(index, comments, 1, count, false, "batches in the order of time");
  print_bytes(index, "bytes a comment", count);
  measure_changes(index, comments, count);
}

}  // namespace
}  // namespace quire::bench

int main(int argc, char** argv) try {
  if (argc != 3) {
    fmt::print(stderr, "quire_bitmaps DIRECTORY COMMENTS\n");
    return 2;
  }
  quire::bench::run(argv[1], std::stoull(argv[2]));
  return 0;
} catch (const std::exception& failure) {
  fmt::print(stderr, "{}\n", failure.what());
  return 1;
}
