// Comments, stars and the form of a product on a page of the shop: <quire-comments product="42">, <quire-stars product="42">,
// <quire-form product="42" token="JWT">. The server renders; this script puts what it gives into the page, and sends no cookie.
(() => {
  "use strict";

  const home = document.currentScript.src.replace(/\/embed\.js.*/, "");
  const language = () => document.documentElement.lang;
  const at = (product, rest) => `${home}/products/${encodeURIComponent(product)}/${rest}`;
  const trusted = window.trustedTypes?.createPolicy("quire", { createHTML: (text) => text }) ?? { createHTML: (text) => text };
  const ask = (address, more) => fetch(address, { credentials: "omit", ...more });

  const sheet = (text) => {
    const style = new CSSStyleSheet();
    style.replaceSync(text);
    return style;
  };
  const blockStyle = sheet(":host{display:block;min-height:var(--quire-min-height,12rem)}:host([hidden]){display:none}[aria-busy=true]{opacity:.6}");
  const starStyle = sheet(":host{display:inline-flex;align-items:center;gap:.35em;min-width:8.5em;height:1.25em;line-height:1.25;vertical-align:middle}:host([hidden]){display:none}svg{height:1em;width:5.4em;color:var(--quire-star,#b06a00);flex:none}");

  // What the elements have in common: a shadow that shows what the element contains until there is something better.
  class Part extends HTMLElement {
    static observedAttributes = ["product", "token", "ticket"];

    constructor() {
      super();
      this.root = this.attachShadow({ mode: "open" });
      this.root.append(document.createElement("slot"));
    }

    get product() { return this.getAttribute("product") ?? ""; }

    connectedCallback() {
      this.live = true;
      this.start();
    }

    disconnectedCallback() { this.live = false; }

    attributeChangedCallback(name, before, now) {
      if (this.live && before !== now) this.start(true);
    }
  }

  // Comments and form: HTML of the server. Of several answers the last that was asked for is shown.
  class Block extends Part {
    constructor() {
      super();
      this.root.adoptedStyleSheets = [blockStyle];
    }

    async load(address, more) {
      this.stop?.abort();
      const { signal } = this.stop = new AbortController();
      const shown = this.root.querySelector("section,slot");
      shown.setAttribute("aria-busy", "true");
      try {
        const answer = await ask(address, { signal, ...more });
        const text = await answer.text();
        const part = document.createElement("template");
        part.innerHTML = trusted.createHTML(text);
        const section = part.content.querySelector("section.quire");
        if (!section) throw new Error(`quire: ${answer.status} from ${address}`);
        await this.styled(part.content.querySelector("link"));
        if (signal.aborted) return false;
        this.root.querySelector("section,slot").replaceWith(section);
        return true;
      } catch (error) {
        if (!signal.aborted) {
          console.warn(String(error));
          this.dispatchEvent(new CustomEvent("quire-error", { bubbles: true }));
        }
        return false;
      } finally {
        shown.removeAttribute("aria-busy");
      }
    }

    // The style is loaded before what it styles is shown.
    styled(link) {
      const old = this.root.querySelector("link");
      if (old?.href === link.href) return;
      return new Promise((done) => {
        link.onload = link.onerror = () => { old?.remove(); done(); };
        this.root.prepend(link);
      });
    }

    disconnectedCallback() {
      super.disconnectedCallback();
      this.stop?.abort();
    }

    show(id) { (this.root.getElementById(id) ?? this.querySelector(`#${CSS.escape(id)}`))?.scrollIntoView(); }
  }

  // Where a page shows several products, the first has the parameter "quire", and each other one its own.
  const named = new Map();
  const nameOf = (element) => {
    for (const [name, owner] of named) {
      if (owner === element) return name;
      if (!owner.isConnected) named.delete(name);
    }
    const name = named.has("quire") ? `quire.${element.product}` : "quire";
    named.set(name, element);
    return name;
  };

  customElements.define("quire-comments", class extends Block {
    constructor() {
      super();
      this.addEventListener("click", (event) => {
        const link = event.composedPath().find((each) => each.localName === "a");
        if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented) return;
        const to = new URL(link.href);
        const same = to.origin + to.pathname === location.origin + location.pathname;
        if (same && link.getAttribute("href").startsWith("#")) {
          event.preventDefault();
          this.show(to.hash.slice(1));
        } else if (same) {
          event.preventDefault();
          this.go(to.searchParams.get(this.name) ?? "", to.hash);
        }
      });
      this.root.addEventListener("submit", (event) => {
        const form = event.target;
        if (form.matches(".vote")) {
          event.preventDefault();
          return this.vote(form.closest("article").id, event.submitter.value);
        }
        if (form.method !== "get") return;
        event.preventDefault();
        const query = new URLSearchParams(new FormData(form));
        for (const [name, value] of [...query]) if (name === "ui" || !value || `${name}=${value}` === "sort=-created_at") query.delete(name, value);
        this.go(query.toString(), "#list");
      });
      this.votes = new Map();
      this.back = () => { if (this.query() !== this.shown) this.update(); };
    }

    query() { return new URLSearchParams(location.search).get(this.name) ?? ""; }

    // The address of this page with another query of this element.
    address(query) {
      const to = new URL(location);
      to.searchParams.delete(this.name);
      to.hash = "";
      if (query) to.searchParams.set(this.name, query);
      return to;
    }

    start(other) {
      this.name = nameOf(this);
      addEventListener("popstate", this.back);
      // Another product begins at its first page, unless the shop's script has changed the address.
      if (other && this.query() && this.query() === this.shown) history.replaceState(history.state, "", this.address(""));
      // What the shop's server included is shown as it is.
      if (!other && this.querySelector("section.quire")) {
        this.shown = this.query();
        this.showVotes(this);
      } else {
        this.update(location.hash);
      }
    }

    // Who is signed in votes; the same again takes the vote back.
    async vote(article, value) {
      const again = this.votes.get(article) === value;
      const headers = { Authorization: `Bearer ${this.getAttribute("token")}`, ...(!again && { "Content-Type": "application/json" }) };
      const body = again ? null : JSON.stringify({ vote: value });
      const answer = await ask(`${home}/v1/comments/${article.slice(2)}/vote`, { method: again ? "DELETE" : "PUT", headers, body });
      if (!answer.ok) return this.dispatchEvent(new CustomEvent("quire-error", { bubbles: true }));
      if (again) this.votes.delete(article);
      else this.votes.set(article, value);
      await this.update();
      this.root.querySelector(`#${article} .vote [value=${value}]`)?.focus();
    }

    showVotes(from) {
      if (!this.getAttribute("token")) return;
      for (const form of from.querySelectorAll("form.vote")) {
        form.hidden = false;
        for (const button of form.querySelectorAll("button")) button.setAttribute("aria-pressed", this.votes.get(form.closest("article").id) === button.value);
      }
    }

    async update(hash) {
      const query = this.shown = this.query();
      const base = new URL(location);
      for (const name of [...base.searchParams.keys()]) if (/^quire(\.|$)/.test(name)) base.searchParams.delete(name);
      const text = (base.pathname + base.search).replace(/[^\w.~!$&'()*+,;=:@/%?-]/g, encodeURIComponent);
      const parameters = new URLSearchParams(query);
      parameters.set("base", text.length > 1024 ? base.pathname : text);
      if (language()) parameters.set("ui", language());
      if (!await this.load(at(this.product, `fragment?${parameters}`))) return;
      for (const link of this.root.querySelectorAll("a[href]:not([href^='#'])")) {
        const to = new URL(link.href);
        if (to.origin + to.pathname === base.origin + base.pathname) link.href = this.address(to.searchParams.get("quire")) + to.hash;
      }
      this.showVotes(this.root);
      if (hash && this.root.getElementById(hash.slice(1))) this.show(hash.slice(1));
    }

    go(query, hash) {
      history.pushState(null, "", this.address(query) + hash);
      return this.update(hash);
    }

    disconnectedCallback() {
      super.disconnectedCallback();
      removeEventListener("popstate", this.back);
    }
  });

  customElements.define("quire-form", class extends Block {
    constructor() {
      super();
      this.root.addEventListener("submit", (event) => {
        event.preventDefault();
        this.post(new URLSearchParams(new FormData(event.target)));
      });
    }

    start() {
      const token = this.getAttribute("token"), ticket = this.getAttribute("ticket");
      if (token) return this.post(new URLSearchParams({ token }), true);
      const parameters = new URLSearchParams({ fragment: true, ...(ticket && { ticket }) });
      if (language()) parameters.set("ui", language());
      return this.load(at(this.product, `review?${parameters}`));
    }

    async post(body, first) {
      body.set("fragment", "true");
      if (!await this.load(at(this.product, `review?${new URLSearchParams({ ui: language() })}`), { method: "POST", body }) || first) return;
      const find = (selector) => this.root.querySelector(selector);
      const told = find("fieldset[aria-invalid=true] input,[aria-invalid=true]:not(fieldset)") ?? find("[role=alert],[role=status]");
      told?.scrollIntoView({ block: "nearest" });
      told?.focus();
      if (find("[role=status]")) this.dispatchEvent(new CustomEvent("quire-sent", { bubbles: true }));
    }
  });

  // The stars of a page are asked for together, and once.
  const outOf = { en: "out of 5 stars", de: "von 5 Sternen", fr: "sur 5 étoiles", es: "de 5 estrellas", it: "su 5 stelle", nl: "van 5 sterren", pl: "na 5 gwiazdek", pt: "de 5 estrelas", ja: "/ 星5つ", ar: "من 5 نجوم" };
  let waiting = [];
  const askForStars = async () => {
    const all = waiting;
    waiting = [];
    const products = [...new Set(all.map(([, product]) => product))];
    for (let i = 0; i < products.length; i += 100) {
      const part = products.slice(i, i + 100);
      try {
        const answer = await ask(`${home}/v1/statistics?${new URLSearchParams(part.map((each) => ["product", each]))}`);
        if (!answer.ok) throw new Error(`quire: ${answer.status} for stars`);
        const found = new Map((await answer.json()).products.map((each) => [each.product, each]));
        for (const [element, product] of all) if (found.has(product) && element.product === product) element.fill(found.get(product));
      } catch (error) {
        console.warn(String(error));
      }
    }
  };

  customElements.define("quire-stars", class extends Part {
    constructor() {
      super();
      this.root.adoptedStyleSheets = [starStyle];
    }

    start() {
      if (waiting.push([this, this.product]) === 1) setTimeout(askForStars);
    }

    fill({ total, average }) {
      if (!total) return this.root.replaceChildren(document.createElement("slot"));
      const tag = language() || "en";
      const number = (value, digits) => value.toLocaleString(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits });
      const label = `${number(average, 1)} ${outOf[tag.split("-")[0]] ?? outOf.en} (${number(total, 0)})`;
      const star = (x) => `<path d="M${x + 10} 1.9l2.5 5.1 5.6.8-4.05 3.95.95 5.6L${x + 10} 14.7l-5 2.65.95-5.6L${x + 1.9} 7.8l5.6-.8z"/>`;
      const stars = [0, 22, 44, 66, 88].map(star).join("");
      this.root.innerHTML = trusted.createHTML(`<svg part="stars" viewBox="0 0 108 20" role="img"><clipPath id="s">${stars}</clipPath><g fill="none" stroke="currentColor" stroke-width="1.3">${stars}</g><rect width="${average * 20}%" height="20" fill="currentColor" clip-path="url(#s)"/></svg><span part="count" aria-hidden="true"></span>`);
      this.root.firstChild.setAttribute("aria-label", label);
      this.root.lastChild.textContent = `(${number(total, 0)})`;
    }
  });
})();
