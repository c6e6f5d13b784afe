// Tables of comments that programs other than Quire made: how each makes its table and writes, and the mapping for it.

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Entity } from 'electrodb';
import { call, keys } from './dynamodb.mjs';
import { ulid } from './foreign.mjs';

const key = (...names) => names.map((AttributeName, at) => ({ AttributeName, KeyType: at ? 'RANGE' : 'HASH' }));
const attributes = (types) => Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
export const index = (IndexName, ...names) => ({ IndexName, KeySchema: key(...names), Projection: { ProjectionType: 'ALL' } });

export async function createTable(endpoint, TableName, view, types, names, indexes = []) {
  await call(endpoint, 'CreateTable', {
    TableName, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: attributes(types), KeySchema: key(...names),
    ...(indexes.length && { GlobalSecondaryIndexes: indexes }), ...(view && { StreamSpecification: { StreamEnabled: true, StreamViewType: view } }),
  });
  while ((await call(endpoint, 'DescribeTable', { TableName })).Table.TableStatus !== 'ACTIVE') await sleep(20);
}

/** A small table of reviews and an order, which docs/adopting.md maps. */
export async function makeReviews(endpoint, table, view = 'NEW_IMAGE') {
  await createTable(endpoint, table, view, { PK: 'S', SK: 'S' }, ['PK', 'SK']);
  const put = (Item) => call(endpoint, 'PutItem', { TableName: table, Item });
  const review = (product, time, user, stars, verified) => put({
    PK: { S: `PRODUCT#${product}` }, SK: { S: `REVIEW#${time}#${user}` }, lang: { S: 'en' }, stars: { N: String(stars) }, user: { S: user },
    headline: { S: 'Fits' }, body: { S: 'It fits, and it is warm.' }, verified: { BOOL: verified },
  });
  await review('shoe-1', '2024-11-20T12:01:00Z', 'ann', 5, true);
  await review('shoe-1', '2024-11-21T08:30:00Z', 'bob', 2, true);
  await review('shoe-2', '2024-11-21T09:00:00Z', 'cy', 4, false);
  await put({ PK: { S: 'PRODUCT#shoe-1' }, SK: { S: 'ORDER#77' }, total: { N: '7' } });
}

/** The id that Quire gives to the comment of an item: its key is a list of types and texts. */
export function idOf(time, ...parts) {
  const bytes = Buffer.concat(parts.flatMap(([type, text]) => { const value = Buffer.from(text); return [Buffer.from([type.charCodeAt(0), value.length >> 8, value.length & 255]), value]; }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes.length));
  const hash = createHash('sha256').update(length).update(bytes).digest().subarray(0, 10);
  return ulid(time, BigInt(`0x${hash.toString('hex')}`));
}

const clientOf = (endpoint) => new DynamoDBClient({ region: 'eu-west-1', endpoint, credentials: { accessKeyId: keys.AWS_ACCESS_KEY_ID, secretAccessKey: keys.AWS_SECRET_ACCESS_KEY } });
const fields = '[attributes]\nverified = { attribute = "verified" }\nsize = { attribute = "size" }\ncountry = { attribute = "country" }\ntags = { attribute = "tags" }\nhelpful = { attribute = "helpful" }\n';
const texts = 'author = { attribute = "author" , default = "" }\ntitle = { attribute = "title" }\ntext = { attribute = "text" }\n';

/** Attributes of a row, as a program without an SDK writes them. */
export function attributesOf({ attributes: { verified, size, country, tags, helpful } }) {
  return {
    ...(verified !== undefined && { verified: { BOOL: verified } }), ...(size && { size: { S: size } }), ...(country && { country: { S: country } }),
    ...(tags && { tags: { SS: tags } }), ...(helpful !== undefined && { helpful: { N: String(helpful) } }),
  };
}

// A row is of facetRows(), with a number that stays the same while the comment changes.
// Each program: make(endpoint, table), fill(at most 25 rows), put(row), remove(row), idOf(row), mapping.

/** The table of the articles: a key by product and date, and a second one for an index by language. */
export class Article {
  view = 'NEW_AND_OLD_IMAGES';
  movable = false; // time and product are the key
  mapping = `[comment]
product = { attribute = "PK", pattern = "PRODUCT#{product}" }
created_at = { attribute = "SK" }
language = { attribute = "lang", default = "und" }
rating = { attribute = "stars" }
${texts}
${fields}
[[index]]
`;

  async make(endpoint, table) {
    Object.assign(this, { endpoint, table });
    await createTable(endpoint, table, this.view, { PK: 'S', SK: 'S', PK2: 'S' }, ['PK', 'SK'], [index('byLang', 'PK2', 'SK')]);
  }
  #key = ({ product, created_at }) => ({ PK: { S: `PRODUCT#${product}` }, SK: { S: created_at } });
  idOf = (row) => idOf(Date.parse(row.created_at), ['S', `PRODUCT#${row.product}`], ['S', row.created_at]);
  #item(row) {
    return {
      ...this.#key(row), PK2: { S: `PRODUCT#${row.product}/${row.language}` }, lang: { S: row.language }, stars: { N: String(row.rating) },
      author: { S: row.author }, title: { S: row.title }, text: { S: row.text },
      ...attributesOf(row),
    };
  }
  fill(rows) { return call(this.endpoint, 'BatchWriteItem', { RequestItems: { [this.table]: rows.map((row) => ({ PutRequest: { Item: this.#item(row) } })) } }); }
  put(row) { return call(this.endpoint, 'PutItem', { TableName: this.table, Item: this.#item(row) }); }
  remove(row) { return call(this.endpoint, 'DeleteItem', { TableName: this.table, Key: this.#key(row) }); }
}

/** One table with reviews and orders, through ElectroDB. */
export class Electro {
  view = 'NEW_IMAGE';
  movable = true;
  mapping = `[comment]
when = { attribute = "__edb_e__", begins = "review" }
product = { attribute = "product" }
created_at = { attribute = "createdAt", format = "epoch_ms" }
language = { attribute = "language" }
rating = { attribute = "rating" }
${texts}
${fields}`;

  async make(endpoint, table) {
    await createTable(endpoint, table, this.view, { pk: 'S', sk: 'S' }, ['pk', 'sk']);
    const client = clientOf(endpoint);
    const model = { version: '1', service: 'shop' };
    const primary = { primary: { pk: { field: 'pk', composite: ['shelf'] }, sk: { field: 'sk', composite: ['number'] } } };
    const text = { type: 'string' };
    this.reviews = new Entity({
      model: { ...model, entity: 'review' }, indexes: primary,
      attributes: {
        shelf: text, number: { type: 'number' }, product: text, createdAt: { type: 'number' }, language: text, rating: { type: 'number' }, author: text, title: text, text,
        verified: { type: 'boolean' }, size: text, country: text, tags: { type: 'set', items: 'string' }, helpful: { type: 'number' },
      },
    }, { client, table });
    this.orders = new Entity({ model: { ...model, entity: 'order' }, indexes: primary, attributes: { shelf: text, number: { type: 'number' }, total: { type: 'number' } } }, { client, table });
  }
  idOf = (row) => idOf(Date.parse(row.created_at), ['S', '$shop#shelf_a'], ['S', `$review_1#number_${row.number}`]);
  #review = ({ number, product, created_at, language, rating, author, title, text, attributes: { remark, ...kept } }) =>
    ({ shelf: 'a', number, product, createdAt: Date.parse(created_at), language, rating, title, text, ...(author && { author }), ...kept });
  async fill(rows) {
    await this.reviews.put(rows.map(this.#review)).go();
    await this.order(rows[0]);
  }
  order({ number }) { return this.orders.put({ shelf: 'a', number, total: number }).go(); }
  async put(row) {
    await this.reviews.put(this.#review(row)).go();
    if (row.number % 10 === 0) await this.order(row);
  }
  remove({ number }) { return this.reviews.delete({ shelf: 'a', number }).go(); }
}

/** A table with a single key, written by the SDK: times in seconds, ratings as texts, and an index by product and time. */
export class Sdk {
  view = 'KEYS_ONLY';
  movable = true;
  mapping = `[comment]
product = { attribute = "productId" }
created_at = { attribute = "createdAt", format = "epoch_s" }
language = { attribute = "locale", default = "und" }
rating = { attribute = "stars" }
${texts}
${fields}
[[index]]
name = "byProductAndDate"
`;

  async make(endpoint, table) {
    await createTable(endpoint, table, this.view, { reviewId: 'S', productId: 'S', createdAt: 'N' }, ['reviewId'], [index('byProductAndDate', 'productId', 'createdAt')]);
    this.client = DynamoDBDocumentClient.from(clientOf(endpoint));
    this.table = table;
  }
  #id = ({ number }) => `review ${number}`;
  idOf = (row) => idOf(Date.parse(row.created_at), ['S', this.#id(row)]);
  #item(row) {
    const { product, created_at, language, rating, author, title, text, attributes: { remark, tags, ...kept } } = row;
    return { reviewId: this.#id(row), productId: product, createdAt: Date.parse(created_at) / 1000, locale: language.replace('-', '_'), stars: String(rating), author, title, text, ...kept, ...(tags && { tags: new Set(tags) }) };
  }
  fill(rows) { return this.client.send(new BatchWriteCommand({ RequestItems: { [this.table]: rows.map((row) => ({ PutRequest: { Item: this.#item(row) } })) } })); }
  put(row) { return this.client.send(new PutCommand({ TableName: this.table, Item: this.#item(row) })); }
  remove(row) { return this.client.send(new DeleteCommand({ TableName: this.table, Key: { reviewId: this.#id(row) } })); }
}
