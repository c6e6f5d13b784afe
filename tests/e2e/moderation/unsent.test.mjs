// What moderators typed or decided and did not send: it goes with no other form without a word, and a key that is held decides once.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath } from '../support/harness.mjs';
import { launch, visit } from '../support/browser.mjs';
import { linked, serveShop } from '../support/moderation.mjs';

let server, browser;
before(async () => {
  server = await serveShop();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const posted = async (product, count) => {
  const ids = [];
  for (let i = 0; i < count; ++i) ids.push((await server.post(commentsPath(product), linked())).expect(202).json.id);
  return ids;
};
const statuses = async (ids) => Promise.all(ids.map(async (id) => (await server.get(commentPath(id), server.moderator)).expect(200).json.status));

/** Runs `visitor` on the queue of a product. `answers` says what is answered to each question, and has the questions then. */
async function onQueue(product, answers, visitor) {
  await visit(browser, {}, async (page) => {
    const asked = [];
    page.removeAllListeners('dialog');
    page.on('dialog', async (dialog) => {
      asked.push(dialog.message());
      await (answers.shift() ? dialog.accept() : dialog.dismiss());
    });
    await page.goto(`${server.url}/moderation`);
    await page.fill('#token', server.tokens.both);
    await page.press('#token', 'Enter');
    await page.waitForSelector('[class="tabs"], .queue-filter');
    await page.goto(`${server.url}/moderation?status=pending&product=${product}`);
    await visitor(page, asked);
  });
}

test('a reply that was typed is not lost without a question', async () => {
  const ids = await posted('reply', 2);
  await onQueue('reply', [false, true], async (page, asked) => {
    const answer = page.locator(`.queued:has(#text-${ids[0]}) .answer`);
    await answer.locator('summary').click();
    await page.fill(`#text-${ids[0]}`, 'Thank you');
    const publish = page.locator(`button[name=publish][value^="${ids[1]}"]`);
    await publish.click();
    assert.deepEqual(asked, ['A reply that you typed is not published. Lose it?']);
    assert.equal(await page.inputValue(`#text-${ids[0]}`), 'Thank you');
    assert.equal(await page.evaluate(() => document.activeElement.id), `text-${ids[0]}`);
    assert.deepEqual(await statuses(ids), ['pending', 'pending']);
    await publish.click();
    await page.waitForSelector('.told');
    assert.deepEqual(await statuses(ids), ['pending', 'published']);
  });
});

test('decisions that were not sent are not lost with a reply, nor with a note', async () => {
  const ids = await posted('drafts', 3);
  await onQueue('drafts', [false, true], async (page, asked) => {
    await page.keyboard.press('j');
    await page.keyboard.press('p');
    const first = page.locator('.drafted');
    assert.equal(await first.count(), 1);
    const id = (await first.getAttribute('id')).slice(-26);
    await first.locator('.reject summary').click();
    await page.fill(`#note-${id}`, 'Asked the customer');
    await first.locator('[name=keep-note]').click();
    assert.equal(await page.locator('.drafted').count(), 1, 'it is still decided');
    assert.equal(await page.inputValue(`#note-${id}`), 'Asked the customer');
    const other = ids.find((each) => each !== id);
    const reply = page.locator(`.queued:has(#text-${other}) .answer`);
    await reply.locator('summary').click();
    await page.fill(`#text-${other}`, 'Thank you');
    await reply.locator('button.apply').click();
    assert.deepEqual(asked, ['1 of 3 decided, not sent yet. Lose these decisions?']);
    assert.equal(await page.locator('.drafted').count(), 1);
    await reply.locator('button.apply').click();
    await page.waitForSelector('.told');
    assert.deepEqual(await statuses(ids), Array(3).fill('pending'));
    assert.equal((await server.get(commentPath(other), server.moderator)).json.reply.text, 'Thank you');
  });
});

test('a key that is held goes on, and decides once', async () => {
  const ids = await posted('held', 4);
  await onQueue('held', [], async (page) => {
    await page.keyboard.press('j');
    await page.keyboard.down('p');
    for (let i = 0; i < 20; ++i) await page.keyboard.down('p'); // a repetition
    assert.equal(await page.locator('.drafted').count(), 1);
    await page.keyboard.down('Enter');
    await page.keyboard.up('p');
    await page.waitForSelector('.told');
    const after = await statuses(ids);
    assert.equal(after.filter((each) => each === 'published').length, 1);
    await page.keyboard.down('Enter');
    assert.deepEqual(await statuses(ids), after);
  });
});

test('the outcome is said once the page is there', async () => {
  await posted('said', 1);
  await onQueue('said', [], async (page) => {
    await page.locator('button[name=publish]').first().click();
    await page.waitForSelector('.told');
    await page.waitForFunction(() => document.querySelector('p.sr[role=status]')?.textContent === document.querySelector('.told').textContent);
  });
});
