// The two tables of the articles on product comments, and the programs that write them.

import { call } from '../support/dynamodb.mjs';
import { attributesOf, createTable, idOf, index } from '../support/adopted.mjs';

/** "2021-08-25 13:00" */
const minutes = (time) => time.slice(0, 16).replace('T', ' ');
const included = (name, ...keys) => ({ ...index(name, ...keys), Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['language', 'rating'] } });

class Program {
  view = 'NEW_AND_OLD_IMAGES';
  movable = true;
  unit = 60_000; // ms: its times are whole minutes
  mapping = ''; // the one that quire table map prints

  idOf = (row) => { const { PK, SK } = this.key(row); return idOf(Date.parse(row.created_at), ...[PK, SK].filter(Boolean).map(({ S }) => ['S', S])); };
  fill(rows) { return call(this.endpoint, 'BatchWriteItem', { RequestItems: { [this.table]: rows.map((row) => ({ PutRequest: { Item: this.item(row) } })) } }); }
  put(row) { return call(this.endpoint, 'PutItem', { TableName: this.table, Item: this.item(row) }); }
  remove(row) { return call(this.endpoint, 'DeleteItem', { TableName: this.table, Key: this.key(row) }); }
  rest = (row) => ({ title: { S: row.title }, text: { S: row.text }, user: { S: row.author }, ...attributesOf(row) });
}

/** Of parts 2 and 3: a partition key by language and rating, and one more for each other index. */
export class FourIndexes extends Program {
  async make(endpoint, table) {
    Object.assign(this, { endpoint, table });
    const types = Object.fromEntries(['PK', 'SK', 'GSIPK', 'GSI2PK', 'GSI3PK', 'GSI4PK', 'GSISK'].map((name) => [name, 'S']));
    await createTable(endpoint, table, this.view, types, ['PK', 'SK'], [
      this.indexed('byLangAndRating', 'GSIPK', 'GSISK'), this.indexed('byLang', 'GSI2PK', 'GSISK'), this.indexed('byRating', 'GSI3PK', 'GSISK'), this.indexed('all', 'GSI4PK', 'GSISK'),
    ]);
  }
  indexed = included;
  key = ({ number }) => ({ PK: { S: `COMMENT#${100_000 + number}` }, SK: { S: `COMMENT#${100_000 + number}` } });
  item(row) {
    const product = `PRODUCT#${row.product}`;
    return {
      ...this.key(row), GSIPK: { S: `${product}/${row.language}/${row.rating}` }, GSI2PK: { S: `${product}/${row.language}` }, GSI3PK: { S: `${product}/${row.rating}` },
      GSI4PK: { S: product }, GSISK: { S: minutes(row.created_at) }, language: { S: row.language }, rating: { N: String(row.rating) }, ...this.rest(row),
    };
  }
}

/** The same, whose indexes have all attributes. */
export class FourWholeIndexes extends FourIndexes {
  indexed = index;
}

/** The same, whose indexes include whatever the mapping reads. */
export class FourFullIndexes extends FourIndexes {
  indexed = (name, ...keys) => {
    const described = included(name, ...keys);
    described.Projection.NonKeyAttributes.push('title', 'text', 'user', 'verified', 'size', 'country', 'tags', 'helpful');
    return described;
  };
}

/** Of the article on page numbers: a random id and the time are the key, and an index is by the product. */
export class RandomIds extends Program {
  movable = false; // the time is part of the key
  async make(endpoint, table) {
    Object.assign(this, { endpoint, table });
    await createTable(endpoint, table, this.view, { PK: 'S', SK: 'S', PK2: 'S' }, ['PK', 'SK'], [index('byProduct', 'PK2', 'SK')]);
  }
  key = ({ number, created_at }) => ({ PK: { S: `abc${(number * 7919) % 100_003}` }, SK: { S: minutes(created_at) } });
  item(row) {
    return { ...this.key(row), PK2: { S: row.product }, language: { S: row.language }, rating: { N: String(row.rating) }, ...this.rest(row) };
  }
}
