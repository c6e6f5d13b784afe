// Items of programs other than Quire: comments that Quire understands, damaged comments, and comments in wrong lists.

import { call } from './dynamodb.mjs';

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The ULID of a time. `number` tells the ULIDs of one time apart, and orders them. */
export function ulid(time, number = 0) {
  let value = (BigInt(time) << 80n) | BigInt(number);
  let text = '';
  for (let n = 0; n < 26; ++n, value >>= 5n) text = digits[Number(value & 31n)] + text;
  return text;
}

export const encode = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** A comment's item, in the service's JSON. `data` is JSON of the texts, unless it is given. */
export function itemOf({ id, product, language = 'en', rating = 5, author = '', title = '', text = '' }) {
  const list = `PRODUCT#${encode(product)}`;
  return {
    PK: { S: `COMMENT#${id}` }, SK: { S: `COMMENT#${id}` }, GSISK: { S: id },
    GSI4PK: { S: list }, GSI2PK: { S: `${list}/${language}` }, GSI3PK: { S: `${list}/${rating}` }, GSIPK: { S: `${list}/${language}/${rating}` },
    language: { S: language }, rating: { N: String(rating) }, data: { S: JSON.stringify({ author, title, text }) },
  };
}

/** Without the attributes that are undefined. */
const defined = (item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
export const put = (endpoint, table, item) => call(endpoint, 'PutItem', { TableName: table, Item: defined(item) });
export const keyOf = ({ PK, SK }) => ({ PK, SK });
export const get = async (endpoint, table, item) => (await call(endpoint, 'GetItem', { TableName: table, Key: keyOf(item), ConsistentRead: true })).Item;

const s = (text) => ({ S: text });
const deep = (levels) => (levels === 0 ? s('end') : { M: { down: deep(levels - 1) } });

/** Items that Quire understands: how the item differs from `itemOf`, and how its comment differs. */
export const understood = {
  'no data': [{ data: undefined }, { author: '', title: '', text: '' }],
  'data without a title': [{ data: s('{"text":"text","author":"Ann","images":[1]}') }, { title: '', text: 'text', author: 'Ann' }],
  'data that is null': [{ data: { NULL: true } }, { author: '', title: '', text: '' }],
  'data that is a map': [{ data: { M: { title: s('Karte "1"'), text: s('a\n\tb'), author: { NULL: true }, images: deep(28) } } }, { author: '', title: 'Karte "1"', text: 'a\n\tb' }],
  'an empty map': [{ data: { M: {} } }, { author: '', title: '', text: '' }],
  'a rating that is a text': [{ rating: s('5') }, {}],
  'ends of lines as files have them': [{ data: s('{"title":"","author":"","text":"one\\r\\ntwo\\rthree"}') }, { title: '', author: '', text: 'one\ntwo\nthree' }],
  'attributes of its own, nested as deep as the service allows': [{ more: deep(31), rank: { N: '-1.5e10' }, many: { SS: ['a', 'b'] } }, {}],
};

/** Damaged items: each made from a good item, with the reason that Quire gives. */
export const damages = {
  'data that is no JSON': [(good) => ({ ...good, data: s('not JSON') }), /Its data is no JSON object/],
  'data that is a list': [(good) => ({ ...good, data: s('[]') }), /Its data is no JSON object/],
  'data that is a number': [(good) => ({ ...good, data: { N: '7' } }), /Its data is neither a JSON text nor a map/],
  'a title that is a number': [(good) => ({ ...good, data: s('{"title":7}') }), /Its title is no text/],
  'a text in a map that is a list': [(good) => ({ ...good, data: { M: { text: { L: [] } } } }), /Its text is no text/],
  'a control character': [(good) => ({ ...good, data: s('{"author":"a\\u0007"}') }), /Its author has control characters/],
  'language english': [(good) => ({ ...good, language: s('english'), GSI2PK: s(`${good.GSI4PK.S}/english`), GSIPK: s(`${good.GSI4PK.S}/english/5`) }), /Its language is not a language tag/],
  'language english in the lists of en': [(good) => ({ ...good, language: s('english') }), /Its language/],
  'no language': [(good) => ({ ...good, language: undefined }), /Its language/],
  'rating 9': [(good) => ({ ...good, rating: { N: '9' }, GSI3PK: s(`${good.GSI4PK.S}/9`), GSIPK: s(`${good.GSI4PK.S}/en/9`) }), /Its rating is not a whole number from 1 to 5/],
  'rating 9 in the lists of 5': [(good) => ({ ...good, rating: { N: '9' } }), /Its rating/],
  'rating "five"': [(good) => ({ ...good, rating: s('five') }), /Its rating/],
  'rating 4.5': [(good) => ({ ...good, rating: { N: '4.5' } }), /Its rating/],
  'no rating': [(good) => ({ ...good, rating: undefined }), /Its rating/],
  'an id that is no ULID': [(good) => ({ ...good, PK: s(`COMMENT#${good.GSISK.S}-1`), SK: s(`COMMENT#${good.GSISK.S}-1`), GSISK: s(`${good.GSISK.S}-1`) }), /Its id is not a ULID/],
  'an id in lower case': [(good) => ({ ...good, PK: s(good.PK.S.replace(/#.*/, (id) => id.toLowerCase())), SK: s(good.PK.S.replace(/#.*/, (id) => id.toLowerCase())), GSISK: s(good.GSISK.S.toLowerCase()) }), /Its id is not a ULID/],
  'an id after the year 9999': [(good) => ({ ...good, PK: s(`COMMENT#7Z${good.GSISK.S.slice(2)}`), SK: s(`COMMENT#7Z${good.GSISK.S.slice(2)}`), GSISK: s(`7Z${good.GSISK.S.slice(2)}`) }), /after the year 9999/],
  'the key of something else': [(good) => ({ ...good, PK: s(`REVIEW#${good.GSISK.S}\n"`), SK: s('REVIEW') }), /its PK and SK are no comment's key/],
};

/** Items in wrong lists: each made from a good item, with the attributes that Quire names. */
export const misplacements = {
  'no GSI3PK': [(good) => ({ ...good, GSI3PK: undefined }), ['GSI3PK']],
  'the GSI3PK of another rating': [(good) => ({ ...good, GSI3PK: s(`${good.GSI4PK.S}/1`) }), ['GSI3PK']],
  'the lists of another language': [(good) => ({ ...good, GSI2PK: s(`${good.GSI4PK.S}/de`), GSIPK: s(`${good.GSI4PK.S}/de/5`) }), ['GSI2PK', 'GSIPK']],
  'a rating that was changed alone': [(good) => ({ ...good, rating: { N: '2' } }), ['GSI3PK', 'GSIPK']],
  'no GSISK': [(good) => ({ ...good, GSISK: undefined }), ['GSISK']],
  'no GSI4PK': [(good) => ({ ...good, GSI4PK: undefined }), ['GSI4PK']],
  'a product that is not encoded': [(good) => Object.fromEntries(Object.entries(good).map(([name, value]) => [name, value.S?.startsWith('PRODUCT#') ? s(decodeURIComponent(value.S)) : value])), ['GSI4PK', 'GSI2PK', 'GSI3PK', 'GSIPK']],
};
