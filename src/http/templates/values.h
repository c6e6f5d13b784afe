// What fills a template: texts and sections by name.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace quire::http {

// A name in templates, as a hash: FNV-1a with 64 bits. Literals are hashed by the compiler.
struct Name {
  template <std::size_t size>
  consteval Name(const char (&literal)[size]) : Name(std::string_view(literal, size - 1)) {}
  explicit constexpr Name(std::string_view text) {
    for (char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
  }
  bool operator==(const Name&) const = default;

  std::uint64_t hash = 0xcbf29ce484222325;
};

// Memory that is freed as a whole. A page takes it in hundreds of small pieces.
class Arena {
 public:
  // Aligned as a pointer is.
  void* take(std::size_t bytes) {
    bytes = (bytes + alignof(void*) - 1) / alignof(void*) * alignof(void*);
    if (bytes > left_) add_block(bytes);
    left_ -= bytes;
    return std::exchange(at_, at_ + bytes);
  }

 private:
  void add_block(std::size_t least);

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* at_ = nullptr;  // in the last block, where this many bytes are left
  std::size_t left_ = 0;
};

// The values of a template, or of one row of a section. A name that has no value here has that of
// the values around: those of the row that this row was added to, up to the template's.
class Values {
 public:
  Values(const Values&) = delete;

  // The text of {{NAME}}; also whether {{#NAME}} is shown: if the text is not empty. Copies it. A
  // name that is set again has the latest text.
  void set(Name name, std::string_view text);
  void set(Name name, std::integral auto number) {
    set_number(name, static_cast<std::int64_t>(number));
  }
  // Shows {{#NAME}} once, with these values.
  void show(Name name) { set(name, "shown"); }
  // One row more, for which {{#NAME}} is repeated. It lives as long as the template's values.
  Values& add(Name name);

 private:
  friend class Template;
  friend class TemplateValues;

  struct Item {
    Name name;
    std::string_view text;
    Values* rows = nullptr;  // of a section, the first
    Values* last = nullptr;
    Item* next;
  };

  Values(Arena& memory, const Values* around) : memory_(memory), around_(around) {}

  static std::size_t place_of(Name name) { return name.hash % places; }
  // Few names share it, so most that have no value are not searched for.
  static std::uint64_t bit_of(Name name) { return std::uint64_t{1} << (name.hash >> 58); }
  Item& add_item(Name name, std::size_t bytes_behind = 0);
  void set_number(Name name, std::int64_t number);
  Item* find_own(Name name) const;
  // Here or around; null: the name has no value.
  const Item* find(Name name) const;

  Arena& memory_;
  const Values* around_;
  std::uint64_t names_ = 0;  // the bits of those that have a value here
  static constexpr std::size_t places = 16;
  Item* items_[places] = {};  // the latest first of each place, which follows from the name
  Values* next_ = nullptr;    // row of the same section
};

// The values of a whole template, with the memory of all its rows.
class TemplateValues : public Values {
 public:
  TemplateValues() : Values(memory_, nullptr) {}

 private:
  Arena memory_;
};

}  // namespace quire::http
