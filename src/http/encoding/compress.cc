#include "http/encoding/compress.h"

#include <zlib.h>
#include <zstd.h>

#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace quire::http {
namespace {

constexpr std::size_t slice = 64 * 1024;  // takes less than a turn

// Bodies of more than a slice that one thread compresses at once. More would take memory, a
// megabyte or two each, and no less time.
constexpr int max_long = 4;
thread_local int long_under_way = 0;

// Why these: docs/adr/0041-compressed-answers.md.
constexpr int gzip_level = 4, zstd_level = 3;

class Gzip {
 public:
  Gzip() {
    constexpr int window = 15, gzip_header = 16, memory = 8;
    if (deflateInit2(&stream_, gzip_level, Z_DEFLATED, window + gzip_header, memory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Gzip() { deflateEnd(&stream_); }

  // Begins a body of this size. Returns the most bytes that it takes compressed.
  std::size_t begin(std::size_t size) {
    deflateReset(&stream_);
    return deflateBound(&stream_, size);
  }
  // Compresses the next part to the front of `out`, and returns how many bytes it wrote.
  std::size_t put(std::string_view part, bool last, char* out, std::size_t room) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
    stream_.avail_in = static_cast<uInt>(part.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
    return room - stream_.avail_out;
  }

 private:
  z_stream stream_{};
};

class Zstd {
 public:
  Zstd() : context_(ZSTD_createCCtx()) {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, zstd_level);
  }
  ~Zstd() { ZSTD_freeCCtx(context_); }

  std::size_t begin(std::size_t size) {
    ZSTD_CCtx_reset(context_, ZSTD_reset_session_only);
    ZSTD_CCtx_setPledgedSrcSize(context_, size);
    return ZSTD_compressBound(size);
  }
  std::size_t put(std::string_view part, bool last, char* out, std::size_t room) {
    ZSTD_inBuffer from{part.data(), part.size(), 0};
    ZSTD_outBuffer to{out, room, 0};
    auto left = ZSTD_compressStream2(context_, &to, &from, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left)) throw std::bad_alloc();  // nothing else can fail
    return to.pos;
  }

 private:
  ZSTD_CCtx* context_;
};

// A stream for one body. Making one costs as much as a short body, so each thread keeps one.
template <class Stream>
class Lent {
 public:
  Lent() : stream_(idle_ ? std::move(idle_) : std::make_unique<Stream>()) {}
  ~Lent() { idle_ = std::move(stream_); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  Stream* operator->() const { return stream_.get(); }

 private:
  static thread_local std::unique_ptr<Stream> idle_;
  std::unique_ptr<Stream> stream_;
};
template <class Stream>
thread_local std::unique_ptr<Stream> Lent<Stream>::idle_;

struct LongOne {
  LongOne() { ++long_under_way; }
  ~LongOne() { --long_under_way; }
};

template <class Stream>
Awaitable<std::string> run(std::string_view bytes) {
  Lent<Stream> stream;
  std::string out(stream->begin(bytes.size()), '\0');
  std::size_t size = 0;
  while (!bytes.empty()) {
    auto part = bytes.substr(0, slice);
    bytes.remove_prefix(part.size());
    size += stream->put(part, bytes.empty(), out.data() + size, out.size() - size);
    if (!bytes.empty() && turn_is_over()) co_await next_turn();
  }
  out.resize(size);
  out.shrink_to_fit();  // budgets count the size
  co_return out;
}

Awaitable<std::string> run_in(Coding coding, std::string_view bytes) {
  return coding == Coding::zstd ? run<Zstd>(bytes) : run<Gzip>(bytes);
}

// Those under way only compute, so each of these turns brings them on.
Awaitable<std::string> run_in_turn(Coding coding, std::string_view bytes) {
  while (long_under_way == max_long) co_await next_turn();
  LongOne one;
  co_return co_await run_in(coding, bytes);
}

}  // namespace

Awaitable<std::string> compressed(Coding coding, std::string_view bytes) {
  return bytes.size() > slice ? run_in_turn(coding, bytes) : run_in(coding, bytes);
}

Awaitable<std::string_view> compressed_once(Coding coding, std::string_view bytes) {
  static std::mutex mutex;
  static std::map<std::pair<const char*, Coding>, std::string> known;  // guarded by mutex
  {
    std::lock_guard lock(mutex);
    if (auto found = known.find({bytes.data(), coding}); found != known.end())
      co_return found->second;
  }
  auto made = co_await compressed(coding, bytes);
  std::lock_guard lock(mutex);
  co_return known.try_emplace({bytes.data(), coding}, std::move(made)).first->second;
}

}  // namespace quire::http
