// A file as Judge.me exports it, made up.

const head = 'title,body,rating,review_date,source,curated,reviewer_name,reviewer_email,product_id,product_handle,reply,reply_date,picture_urls,ip_address,location,metaobject_handle';
const authors = ['Ann', 'Bo', 'Zoë', 'Łukasz', 'さくら', 'O\'Hara, Pat'];
const texts = ['Wore it\nall winter', 'It "fits", as they say', 'Soft & warm', 'Too small, sent it back', '💙', 'Naïve; but true'];
const two = (n) => String(n).padStart(2, '0');

/** `count` reviews; every sixth is of another product, every fifth has pictures, every fourth an answer. */
export function judgemeReviews(count) {
  return Array.from({ length: count }, (_, n) => ({
    title: n % 3 ? '' : n ? `Title ${n}` : 'Warm', body: `${texts[n % texts.length]} ${n}`, rating: 5 - n % 5, source: 'web',
    review_date: `2025-0${1 + n % 9}-${two(1 + n % 28)} ${two(n % 24)}:37:12 UTC`, curated: 'ok',
    reviewer_name: authors[n % authors.length], reviewer_email: `person${n}@mail.example`, product_id: 8877,
    product_handle: n % 6 < 5 ? 'wool-hat' : 'wool-scarf',
    reply: n % 4 ? '' : `Thank you ${n}`, reply_date: n % 4 ? '' : '2025-11-01 08:00:00 UTC',
    picture_urls: n % 5 ? '' : `https://pics.example/${n}-a.jpg, http://pics.example/${n}-b.jpg`,
    ip_address: '192.0.2.7', location: 'Turku, Finland', metaobject_handle: `review-${n}`,
  }));
}

export function judgemeFile(reviews) {
  const quoted = (value) => `"${String(value).replaceAll('"', '""')}"`;
  const names = head.split(',');
  return [head, ...reviews.map((review) => names.map((name) => quoted(review[name])).join(','))].map((line) => `${line}\r\n`).join('');
}
