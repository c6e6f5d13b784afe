#include "desk/deeds.h"

#include <array>
#include <stdexcept>

namespace quire::desk {
namespace {

template <Scope... scopes>
constexpr std::array<Scope, sizeof...(scopes)> any_of = {scopes...};

constexpr std::span<const Scope> no_token = {};

const Rights all_rights[] = {
    {Deed::post, any_of<Scope::post>, Others::posters, Counts::posts, Of::product, true},
    {Deed::edit, any_of<Scope::edit, Scope::moderate>, Others::writers, Counts::writes, Of::comment,
     true},
    {Deed::remove, any_of<Scope::edit>, Others::customers, Counts::writes, Of::comment, true},
    {Deed::decide, any_of<Scope::moderate>, Others::none, Counts::nothing, Of::comment},
    {Deed::reply, any_of<Scope::reply>, Others::none, Counts::writes, Of::comment},
    {Deed::vote, no_token, Others::voters, Counts::writes, Of::comment},
    {Deed::report, no_token, Others::anyone, Counts::writes, Of::comment},
    {Deed::read_own, no_token, Others::customers, Counts::nothing, Of::comment},
    {Deed::read_written, no_token, Others::customers, Counts::nothing, Of::product, true},
    {Deed::read_queue, any_of<Scope::moderate>, Others::none, Counts::nothing, Of::comment},
    {Deed::read_all, any_of<Scope::moderate>, Others::readers, Counts::nothing, Of::comment},
    {Deed::read_feed, any_of<Scope::atom>, Others::readers, Counts::nothing, Of::comment},
    {Deed::read_changes, any_of<Scope::feed>, Others::none, Counts::nothing, Of::comment},
    {Deed::invite, any_of<Scope::invite>, Others::none, Counts::writes, Of::comment},
    {Deed::export_customer, any_of<Scope::admin>, Others::none, Counts::writes, Of::all},
    {Deed::erase_customer, any_of<Scope::admin>, Others::none, Counts::writes, Of::all},
    {Deed::tell, any_of<Scope::products>, Others::none, Counts::nothing, Of::product},
    {Deed::import, any_of<Scope::import>, Others::none, Counts::nothing, Of::comment},
    {Deed::update, any_of<Scope::edit>, Others::none, Counts::nothing, Of::comment},
    {Deed::undo, any_of<Scope::moderate>, Others::none, Counts::nothing, Of::comment},
    {Deed::move, any_of<Scope::admin>, Others::none, Counts::nothing, Of::product},
};

}  // namespace

const Rights& rights_of(Deed deed) {
  for (const auto& rights : all_rights)
    if (rights.deed == deed) return rights;
  throw std::logic_error("a deed has no rights");
}

}  // namespace quire::desk
