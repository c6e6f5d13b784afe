// The form for a comment: by invitation, by a signed token, by anyone; without a cookie and without a script.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mustRun, newStore } from '../support/harness.mjs';
import { embedOf, launch, site, visit } from '../support/browser.mjs';
import { serveCustomers } from '../support/customers.mjs';

// A form that is sent sooner was not filled in by a person. The time is in the seal, which nobody can set: so all tests wait at once.
const least = 3_100;
const review = (product = '42') => `/products/${product}/review`;
const post = (server, path, fields, headers = {}) => server.request('POST', path, { body: new URLSearchParams(fields).toString(), headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers } });
const sealedIn = ({ text }) => /name="form" value="([^"]+)"/.exec(text)?.[1];
const unescaped = (text) => text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const faultsIn = ({ text }) => [...text.matchAll(/class="fault"[^>]*>([^<]*)</g)].map(([, fault]) => unescaped(fault));
const ticketFor = async (server, product, customer, ...more) => (await mustRun(['invite', product, '--customer', customer, '--store', server.store, ...more])).stdout.trim();

let browser, shop, stranger, customers, anyone;
before(async () => {
  [browser, shop, stranger] = await Promise.all([launch(), site(), site()]);
  const store = newStore();
  for (const facet of [['size', '--type', 'choice', '--values', 'S,M,L'], ['gift', '--type', 'flag'], ['height', '--type', 'number'], ['words', '--type', 'tags'], ['fit', '--type', 'choice']])
    await mustRun(['facet', 'add', ...facet, '--store', store]);
  await mustRun(['product', 'set', 'several-a', '--name', 'Lamp & co', '--store', store]);
  [customers, anyone] = await Promise.all([
    serveCustomers({ store, writing: 'who = "customers"\nonce = true\nfields = ["size", "gift", "height", "words", "fit"]\n', more: `[moderation]\nhold = "rules"\nlinks = true\n${embedOf(shop.origin)}` }),
    serveCustomers({ writing: 'who = "anyone"\n', more: embedOf(shop.origin) })]);
});
after(async () => { await browser.close(); await Promise.all([customers.stop(), anyone.stop()]); });

/** Opens a form, and waits as long as a person needs at least. */
async function opened(answer) {
  const form = (await answer).expect(200);
  assert.equal(form.headers['set-cookie'], undefined);
  assert.match(form.headers['cache-control'], /no-store/);
  await sleep(least);
  return sealedIn(form);
}

test('a form that is sent at once was filled in by no person', async () => {
  const form = sealedIn((await anyone.get(review('x'))).expect(200));
  assert.match(faultsIn((await post(anyone, review('x'), { form, rating: '5' })).expect(422))[0], /very quick/);
  assert.deepEqual(faultsIn((await post(anyone, review('x'), { form })).expect(422)).filter((each) => /very quick/.test(each)), [], 'what is missing is told first');
  assert.equal((await anyone.page('x')).total, 0);
});

describe('the form', { concurrency: true }, () => {
  test('line ends of other programs are line feeds, and blanks alone are nothing', async () => {
    const form = await opened(customers.get(`${review('lines')}?ticket=${await ticketFor(customers, 'lines', 'vera')}`));
    const sent = await post(customers, review('lines'), { form, rating: '3', title: 'a\u000bb', text: 'one\u000btwo\u2028three\u000cfour', author: '\u200b\u3164', language: 'en' });
    assert.match(sent.expect(200).text, /<h1>Thank you<\/h1>/);
    const [{ title, text, author }] = (await customers.page('lines')).comments;
    assert.deepEqual([title, text, author], ['a b', 'one\ntwo\nthree\nfour', '']);
  });

  test('an invitation opens the form for its product, and makes one comment', async () => {
    const ticket = await ticketFor(customers, '42', 'ann', '--name', 'Ann');
    const address = `${review()}?ticket=${ticket}`;
    const form = await opened(customers.get(address));
    const sent = (await post(customers, review(), { form, rating: '4', title: 'Fits', text: 'Well', language: 'en', 'attributes.size': 'M', 'attributes.gift': 'true', 'attributes.height': '12', 'attributes.words': 'soft, warm' })).expect(200);
    assert.match(sent.text, /<h1>Thank you<\/h1>/);
    assert.match(sent.text, /Your review is published/);
    assert.match(sent.text, /<svg class="stars" role="img" aria-label="4 out of 5 stars">/);
    assert.match(sent.text, /<li>Size: M<\/li>.*<li class="topic">soft<\/li>/, 'all that was sent is shown');
    assert.equal(sent.headers['set-cookie'], undefined);
    const [comment] = (await customers.page('42')).comments;
    assert.deepEqual([comment.rating, comment.title, comment.author, comment.language], [4, 'Fits', 'Ann', 'en']);
    assert.deepEqual({ ...comment.attributes, verified: undefined }, { gift: true, height: 12, size: 'M', words: ['soft', 'warm'], verified: undefined });
    assert.match((await post(customers, review(), { form, rating: '4', title: 'Fits', text: 'Well', language: 'en', 'attributes.size': 'M', 'attributes.gift': 'true', 'attributes.height': '12', 'attributes.words': 'soft, warm' })).expect(200).text, /is published/, 'sent twice it is the same comment');
    const again = await opened(customers.get(address));
    assert.match(faultsIn((await post(customers, review(), { form: again, rating: '1' })).expect(422))[0], /written/);
    assert.equal((await customers.page('42')).total, 1);
    assert.equal((await customers.get(`${review('43')}?ticket=${ticket}`)).status >= 400, true, 'another product');
  });

  test('the link of several products leads to the form of each, with the star that was chosen', async () => {
    const ticket = (await mustRun(['invite', 'several-a', 'several b', '--customer', 'una', '--store', customers.store])).stdout.trim();
    const page = (await customers.get(`/review?ticket=${ticket}&ui=de`)).expect(200);
    assert.match(page.text, /<h1>Wie gefallen Ihnen/);
    assert.match(page.text, /Lamp &amp; co/);
    assert.equal(page.headers['referrer-policy'], 'strict-origin');
    const stars = [...page.text.matchAll(/class="rate-star" href="([^"]*)"/g)].map(([, href]) => unescaped(href));
    assert.equal(stars.length, 10);
    assert.equal(stars[8], `/products/several%20b/review?ui=de&ticket=${ticket}&rating=4`);
    const chosen = ({ text }) => /name="rating" value="(\d)" required checked/.exec(text)?.[1];
    assert.equal(chosen((await customers.get(stars[8])).expect(200)), '4');
    const direct = await customers.get(`/review?ticket=${ticket}&product=several%20b&rating=2&utm_source=mail`);
    assert.equal(direct.expect(303).headers.location, `/products/several%20b/review?ticket=${ticket}&rating=2`);
    assert.equal(chosen((await customers.get(`/products/several-a/review?ticket=${ticket}&rating=9`)).expect(200)), undefined);
    const form = await opened(customers.get(stars[8]));
    const sent = (await post(customers, review('several%20b'), { form, ticket, rating: '4', text: 'Bright' })).expect(200);
    assert.match(sent.text, new RegExp(`href="/review\\?ticket=${ticket}"[^>]*>Review another product`));
    assert.equal((await customers.page('several b')).comments[0].rating, 4);
    const rest = (await customers.get(`/review?ticket=${ticket}`)).expect(200);
    assert.match(rest.text, /Lamp &amp; co[^]*class="rate-star"[^]*several b[^]*aria-label="4 out of 5 stars"[^]*Reviewed/, 'what is done is the last');
    assert.equal(rest.text.match(/class="rate-star"/g).length, 5);
    assert.equal(rest.headers['referrer-policy'], 'no-referrer');
    assert.equal(rest.headers['cache-control'], 'private, no-store');
    const one = await ticketFor(customers, 'alone', 'una');
    assert.equal((await customers.get(`/review?ticket=${one}&rating=5`)).expect(303).headers.location, `/products/alone/review?ticket=${one}&rating=5`);
    const closed = (await customers.get(`/review?ticket=${ticket}x`)).expect(401).text;
    assert.match(closed, /This invitation does not open the form/);
    assert.match(closed, /<title>This invitation does not open –[^]*<h1>This invitation does not open<\/h1>[^]*<a href="\/">See all products<\/a>/);
    const last = await opened(customers.get(`/products/several-a/review?ticket=${ticket}`));
    assert.match((await post(customers, review('several-a'), { form: last, ticket, rating: '1', text: 'See https://x.example/' })).expect(200).text, /<article class="comment sent"[^]*Anonymous[^]*<\/article>/);
    const done = (await customers.get(`/review?ticket=${ticket}`)).expect(200).text;
    assert.match(done, /<title>How do you like[^]*<h1>How do you like/);
    assert.match(done, /aria-label="1 out of 5 stars"[^]*once a moderator approves it/, 'it waits, which is said');
    assert.match((await customers.get('/review')).expect(401).headers['www-authenticate'], /^Bearer/);
  });

  test('a signed token opens the form; a comment that is held says that it waits', async () => {
    assert.match((await customers.get(review())).expect(403).text, /Sign in at the shop/);
    assert.match((await customers.get(`${review()}?fragment=true`)).expect(200).text, /Sign in at the shop/, 'the element asks before it knows who visits');
    const form = await opened(post(customers, review(), { token: customers.tokenOf('bob', { name: 'Bob' }) }, { Origin: shop.origin }));
    const sent = (await post(customers, review(), { form, rating: '2', text: 'See https://x.example/' })).expect(200);
    assert.match(sent.text, /once a moderator/);
    assert.doesNotMatch(sent.text, /is published/);
    assert.match(sent.text, /See https:\/\/x\.example/);
    assert.equal((await customers.page('42')).comments.some((each) => each.author === 'Bob'), false);
  });

  test('who cannot open the form is told what to do, in their language', async () => {
    const old = await post(customers, `${review()}?ui=de`, { token: `${customers.tokenOf('bob')}x` });
    assert.match(old.expect(401).text, /Ihre Anmeldung im Shop ist abgelaufen/);
    assert.match(old.headers['www-authenticate'], /^Bearer/);
    const ticket = await ticketFor(customers, '42', 'zoe');
    for (const [path, status] of [[`${review()}?ticket=${ticket.slice(0, -4)}AAAA`, 401], [`${review('43')}?ticket=${ticket}`, 403], [`${review()}?ticket=`, 401]]) {
      const answer = (await customers.get(path, { 'Accept-Language': 'fr' })).expect(status);
      assert.match(answer.text, /Cette invitation n’ouvre pas le formulaire/);
      assert.doesNotMatch(answer.text, /class="detail"/);
    }
  });

  test('the address of a form, which has the ticket, is told to no other page', async () => {
    const ticket = await ticketFor(customers, 'quiet', 'ann');
    const form = (await customers.get(`${review('quiet')}?ticket=${ticket}`)).expect(200);
    assert.equal(form.headers['referrer-policy'], 'strict-origin');
    assert.equal((await customers.get('/products/42')).headers['referrer-policy'], 'strict-origin-when-cross-origin');
  });

  test('the language of the comment is that of the page where the shop asks for one', async () => {
    const chosen = ({ text }) => /<option value="([^"]*)" selected/.exec(text)[1];
    assert.equal(chosen((await anyone.get(`${review('lang')}?ui=ar`, { 'Accept-Language': 'fr' })).expect(200)), 'ar');
    assert.equal(chosen((await anyone.get(review('lang'), { 'Accept-Language': 'fr' })).expect(200)), 'fr');
    assert.equal(chosen((await anyone.get(review('lang'))).expect(200)), 'en', 'that of the page, where the browser names none');
  });

  test('who writes too often keeps what was typed', async () => {
    const server = await serveCustomers({ writing: 'who = "anyone"\n', args: ['--posts-per-minute-product', '1'] });
    try {
      const forms = await Promise.all(Array.from({ length: 9 }, () => opened(server.get(review('busy')))));
      let answer;
      for (const [i, form] of forms.entries()) {
        answer = await post(server, review('busy'), { form, rating: '5', title: `Typed ${i}` });
        if (answer.status !== 200) break;
      }
      assert.match(answer.expect(429).text, /value="Typed \d"/);
      assert.match(faultsIn(answer)[0], /could not be sent now/);
      assert.match(answer.headers['retry-after'], /^\d+$/);
    } finally { await server.stop(); }
  });

  test('where the shop lets anyone write, the form opens by itself, and page and fragment lead to it', async () => {
    const form = await opened(anyone.get(review('new')));
    const faulty = (await post(anyone, review('new'), { form, title: 'Kept <b>', rating: '9' })).expect(422);
    assert.match(faulty.text, /id="rating-fault">Choose one to five stars\./);
    assert.match(faulty.text, /value="Kept &lt;b&gt;"/, 'what was typed is kept');
    (await post(anyone, review('new'), { form, rating: '5', title: 'Nice' })).expect(200);
    for (const path of ['/products/new', '/products/new/fragment']) assert.match((await anyone.get(path)).expect(200).text, /href="[^"]*\/products\/new\/review"/);
    assert.doesNotMatch((await customers.get('/products/42')).text, /\/review"/, 'where customers write the shop leads to the form');
  });

  test('what no person sends is not taken', async () => {
    const form = await opened(anyone.get(review('x')));
    assert.match(faultsIn((await post(anyone, review('x'), { form, rating: '5', website: 'https://spam.example' })).expect(422))[0], /last field empty/);
    (await post(anyone, review('x'), { form, rating: '5' }, { Origin: stranger.origin })).expect(403);
    (await post(anyone, review('x'), { form, rating: '5' }, { Origin: 'null' })).expect(403);
    (await post(anyone, review('y'), { form, rating: '5' })).expect(400);
    (await post(anyone, review('x'), { form: form.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')), rating: '5' })).expect(400);
    (await post(anyone, review('x'), { rating: '5' })).expect(400);
    assert.equal((await anyone.page('x')).total, 0);
    for (const path of [review('x'), '/products/x/fragment']) {
      const policy = (await anyone.get(path)).headers['content-security-policy'];
      assert.match(policy, new RegExp(`frame-ancestors ${shop.origin}$`));
    }
    assert.match((await anyone.get('/moderation')).headers['content-security-policy'], /frame-ancestors 'none'/);
  });

  test('a wrong number has its fault beside its field', async () => {
    const ticket = await ticketFor(customers, '44', 'cy');
    const form = await opened(customers.get(`${review('44')}?ticket=${ticket}`));
    const { text } = (await post(customers, review('44'), { form, rating: '3', 'attributes.height': 'tall' })).expect(422);
    assert.match(text, /name="attributes\.height" value="tall"[^>]*aria-describedby="f-attributes\.height-fault"/);
    assert.match(text, /id="f-attributes\.height-fault">Write a whole number\./);
    assert.match(text, /value="3" required checked/);
    const other = (await post(customers, review('44'), { form, rating: '3', 'attributes.size': 'XXL' })).expect(422);
    assert.match(other.text, /id="f-attributes\.size-fault">Check this field\./);
  });

  test('faults are listed at the top, in the order of the fields, each with the way to its field', async () => {
    const ticket = await ticketFor(customers, '46', 'cy');
    const form = await opened(customers.get(`${review('46')}?ticket=${ticket}`));
    const { text } = (await post(customers, review('46'), { form, 'attributes.height': 'tall' })).expect(422);
    assert.deepEqual([...text.matchAll(/<li><a href="#([^"]+)">([^<]+)<\/a>: ([^<]+)</g)].map((each) => each.slice(1)), [
      ['rating', 'Rating', 'Choose one to five stars.'], ['f-attributes.height', 'Height', 'Write a whole number.']]);
    for (const id of ['rating', 'f-attributes.height']) assert.equal(text.split(`id="${id}"`).length, 2, id);
    const fragment = (await post(customers, review('46'), { form, fragment: 'true', 'attributes.height': 'tall' })).expect(422).text;
    assert.match(fragment, /<li>Height: Write a whole number\.</, 'a page of the shop has no such place');
  });

  test('what other comments on the product say is offered', async () => {
    const write = (rating, attributes) => customers.add('47', { rating, attributes });
    await write(5, { words: ['soft', 'warm'], fit: 'wide' });
    await write(4, { words: ['warm', 'one, two', ' spaced', '軽い、暖かい'], fit: 'a"b<c' });
    await write(3, { words: ['warm'], fit: 'wide' });
    await customers.add('48', { rating: 5, attributes: { words: ['elsewhere'], fit: 'other' } });
    const ticket = await ticketFor(customers, '47', 'eli');
    const answer = customers.get(`${review('47')}?ticket=${ticket}`);
    const form = await opened(answer);
    const boxes = ({ text }) => [...text.matchAll(/name="attributes\.words" value="([^"]*)"( checked)?>/g)].map(([, value, checked]) => value + (checked ? '!' : ''));
    assert.deepEqual(boxes(await answer), ['warm', 'soft'], 'the most frequent first; typing would change the others');
    const list = /<datalist id="l-attributes\.fit">([^]*?)<\/datalist>/.exec((await answer).text)[1];
    assert.deepEqual([...list.matchAll(/value="([^"]*)"/g)].map(([, value]) => value), ['wide', 'a&quot;b&lt;c']);
    assert.match((await answer).text, /name="attributes\.fit" value="" placeholder="\u2068wide, \u2068a&quot;b&lt;c\u2069 …\u2069 "/);
    const chosen = [['form', form], ['attributes.words', 'warm'], ['attributes.words', 'new、soft'], ['attributes.fit', 'wide']];
    const again = (await post(customers, review('47'), chosen)).expect(422);
    assert.deepEqual(boxes(again), ['warm!', 'soft!']);
    assert.match(again.text, /id="f-attributes\.words" name="attributes\.words" value="new"/);
    (await post(customers, review('47'), [...chosen, ['rating', '5']])).expect(200);
    const { attributes } = (await customers.page('47')).comments[0];
    assert.deepEqual([attributes.words, attributes.fit], [['warm', 'new', 'soft'], 'wide']);
  });

  test('eight tags are offered, twenty values of a choice, and a fault without a field is told', async () => {
    for (let i = 10; i < 40; ++i) await customers.add('49', { rating: 5, attributes: { words: [`w${i}`], fit: `f${i}` } });
    const ticket = await ticketFor(customers, '49', 'flo');
    const answer = customers.get(`${review('49')}?ticket=${ticket}`);
    const form = await opened(answer);
    const { text } = await answer;
    assert.equal(text.match(/type="checkbox" name="attributes\.words"/g).length, 8);
    assert.equal(text.match(/<option value="f\d\d">/g).length, 20);
    const long = Array.from({ length: 16 }, (unused, i) => `${i}${'長'.repeat(95)}`).join(',');
    const refused = (await post(customers, review('49'), { form, rating: '5', 'attributes.words': long })).expect(422);
    assert.match(refused.text, /The review was not sent\./);
  });

  test('the form says so where each comment is read first', async () => {
    const server = await serveCustomers({ writing: 'who = "anyone"\n', more: '[moderation]\nhold = "all"\n' });
    assert.match((await server.get(review())).expect(200).text, /A moderator reads each review before it appears\./);
    await server.stop();
    assert.doesNotMatch((await anyone.get(review())).expect(200).text, /A moderator reads/);
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`in a browser ${javaScriptEnabled ? 'with' : 'without'} script, by keyboard, each field has its name`, async () => {
      const ticket = await ticketFor(customers, `b-${javaScriptEnabled}`, 'dee', '--name', 'Dee');
      await visit(browser, { javaScriptEnabled }, async (page, troubles) => {
        await page.goto(`${customers.url}${review(`b-${javaScriptEnabled}`)}?ticket=${ticket}`);
        const group = page.getByRole('group', { name: 'Rating' });
        assert.equal(await group.getByRole('radio').count(), 5);
        await group.getByRole('radio', { name: '1 star' }).focus();
        for (let i = 0; i < 3; ++i) await page.keyboard.press('ArrowRight');
        assert.equal(await group.getByRole('radio', { name: '4 stars' }).isChecked(), true);
        await page.getByLabel('Title').fill('By keyboard');
        await page.getByLabel('Size').selectOption('L');
        await page.getByLabel('Gift').check();
        assert.match(await page.locator('main').textContent(), /Your name is shown: Dee/);
        await page.waitForTimeout(least);
        await page.getByRole('button', { name: 'Post review' }).press('Enter');
        await page.getByRole('status').waitFor();
        assert.match(await page.getByRole('status').textContent(), /published/);
        await page.getByRole('link', { name: /among all reviews/ }).click();
        assert.match(await page.locator('article.comment').first().textContent(), /By keyboard/);
        assert.deepEqual(await page.context().cookies(), []);
        assert.deepEqual(troubles, []);
      });
    });
  }
});
