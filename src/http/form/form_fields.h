// The fields of the form for comments: what was typed, as a draft, and as the form shows it again.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "http/query.h"
#include "http/templates/values.h"
#include "quire/comment.h"
#include "quire/facet.h"
#include "quire/result.h"
#include "texts/texts.h"

namespace quire::http {

// What was typed, by the names of the form's fields: "title", "size" of an attribute is
// "attributes.size".
using Typed = Parameters;

// For each field with a fault, or the form as a whole (""), the name of the text that tells it.
using Faults = std::map<std::string, std::string_view, std::less<>>;

// The facets of these attributes; one that is not declared takes any text.
std::vector<Facet> fields_of(const std::vector<std::string>& names,
                             const std::vector<FacetStatus>& facets);

// The draft that was typed. Adds a fault for a number that is none.
Draft draft_of(const Typed& typed, const std::vector<Facet>& fields, std::string product,
               Faults& faults);

// What was typed when the comment was written.
Typed typed_of(const Comment& comment, const std::vector<Facet>& fields);
// The change of a comment to the draft: a field that is empty now is removed. `named`: the author's
// name is not typed, and stays.
Patch patch_of(Draft draft, const std::vector<Facet>& fields, bool named);

// The faults that the service found.
void add_faults(const Error& error, Faults& faults);

// The language of the form's field before one is chosen, from an Accept-Language header.
std::string first_language(std::string_view accept_language);

// Whether values that comments have already may be offered for it: an open choice, or tags.
bool takes_offers(const Facet& field);
// Values to choose or to begin with, the most frequent first, by the field's facet.
using Offers = std::map<std::string, std::vector<std::string>>;
// From the counts of the product's facets. At most 8 tags, because all are shown, and none that
// typing would change: tags with a comma or with spaces around.
Offers offers_of(const std::vector<FacetCounts>& counts);

// Fills the fields of web/review_form.tpl. `named`: the author's name is not to be
// typed.
void fill_fields(Values& form, const Typed& typed, const std::vector<Facet>& fields,
                 const Offers& offers, const Faults& faults, bool named, const texts::Texts& texts);

}  // namespace quire::http
