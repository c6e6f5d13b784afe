// <quire-comments product="42">, <quire-stars product="42">, <quire-form product="42" token="JWT"> of a page of the shop. The server
// renders; this script puts what it gives into the page, and sends no cookie.
(() => {
  "use strict";

  if (customElements.get("quire-stars")) return; // the page has this script twice

  const script = document.currentScript ?? document.querySelector("script[type=module][src*='/embed.js']"); // a module is no current script
  const home = script.src.replace(/\/embed\.js.*/, "");
  // Of the page. "en_US" is meant as "en-US"; what is no language is none.
  const language = () => {
    try { return Intl.getCanonicalLocales(document.documentElement.lang.replaceAll("_", "-"))[0]; } catch { return ""; }
  };
  // The size of the text around the comments, in which their style measures.
  CSS.registerProperty?.({ name: "--quire-rem", syntax: "<length>", inherits: true, initialValue: "16px" });
  const productOf = (element) => element.getAttribute("product") ?? "";
  const trusted = window.trustedTypes?.createPolicy("quire", { createHTML: (text) => text }) ?? { createHTML: (text) => text };
  const ask = (address, more) => fetch(address, { credentials: "omit", ...more });
  const refused = ({ status, url }) => Object.assign(new Error(`quire: ${status} from ${url.split("?")[0]}`), { status });
  const parameters = (more) => new URLSearchParams({ ...more, ...(language() && { ui: language() }) });

  const sheet = (text) => {
    const style = new CSSStyleSheet();
    style.replaceSync(text);
    return style;
  };
  const blockStyle = sheet(":host{display:block}:host([hidden]){display:none}[aria-busy=true]{opacity:.6}.said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}");
  const roomStyle = sheet(":host{min-height:var(--quire-min-height,12rem)}"); // unless nobody sees it go
  const starStyle = sheet(":host{display:inline-flex;align-items:center;gap:.35em;min-width:8.5em;height:1.25em;line-height:1.25;vertical-align:middle}:host([hidden]){display:none}svg{height:1em;width:5.4em;color:var(--quire-star,color-mix(in oklab,#b87000 75%,currentcolor));flex:none}rect{fill:var(--quire-star,color-mix(in oklab,#e58e00 90%,currentcolor))}svg:dir(rtl){transform:scaleX(-1)}");

  // What the elements have in common: a shadow that shows what the element contains until there is something better.
  class Part extends HTMLElement {
    static observedAttributes = ["product", "token", "ticket"];

    constructor() {
      super();
      this.root = this.attachShadow({ mode: "open" });
      this.root.append(document.createElement("slot"));
    }

    connectedCallback() {
      live.add(this);
      if (this.asked !== this.key()) this.start(); // else it was moved, and shows what it should
    }

    disconnectedCallback() { live.delete(this); }

    attributeChangedCallback(name, before, now) {
      if (live.has(this) && before !== now) this.start(name);
    }

    // What decides what it shows.
    key() { return JSON.stringify([language(), ...Part.observedAttributes.map((each) => this.getAttribute(each))]); }

    failed(error) {
      console.warn(String(error));
      this.dispatchEvent(new CustomEvent("quire-error", { bubbles: true, detail: { status: error.status } }));
    }
  }

  // The elements of the page, which follow its language and its address.
  const live = new Set();
  new MutationObserver(() => { for (const each of live) if (each.asked !== each.key()) each.start("lang"); }).observe(document.documentElement, { attributeFilter: ["lang"] });
  addEventListener("popstate", () => { for (const each of live) each.back?.(); });

  // Comments and form: HTML of the server. Of several answers the last that was asked for is shown.
  class Block extends Part {
    constructor() {
      super();
      this.root.adoptedStyleSheets = [blockStyle, roomStyle];
    }

    // Gives true; false, where there is no answer; null, where another was asked for meanwhile.
    async load(rest, more) {
      const product = productOf(this);
      this.asked = this.key();
      this.stop?.abort();
      const { signal } = this.stop = new AbortController();
      const shown = () => this.root.querySelector("section,slot");
      shown().setAttribute("aria-busy", "true");
      try {
        const answer = await ask(`${home}/products/${encodeURIComponent(product)}/${rest}`, { signal, ...more });
        const part = document.createElement("template");
        part.innerHTML = trusted.createHTML(await answer.text());
        const section = part.content.querySelector("section.quire");
        if (!section) throw refused(answer);
        await this.styled(part.content.querySelector("link"));
        if (signal.aborted) return null;
        this.put(section, shown());
        this.settle();
        this.of = product;
        return true;
      } catch (error) {
        if (signal.aborted) return null;
        this.asked = null;
        if (this.of !== product) shown().replaceWith(document.createElement("slot")); // no other product's
        this.settle();
        this.failed(error);
        return false;
      } finally {
        if (!signal.aborted) {
          this.stop = null;
          shown().removeAttribute("aria-busy");
        }
      }
    }

    // Room that was kept goes where what follows is not in sight: nothing that is seen moves.
    settle() {
      this.root.adoptedStyleSheets = [blockStyle];
      if (this.getBoundingClientRect().bottom < innerHeight) this.root.adoptedStyleSheets = [blockStyle, roomStyle];
    }

    // The field that has the focus keeps it.
    put(section, old) {
      const at = this.root.activeElement ?? (this.contains(document.activeElement) ? document.activeElement : null);
      old.replaceWith(section);
      const same = [...section.querySelectorAll("[name]")].find(({ name, type, value }) => name === at?.name && type === at.type && (!/radio|checkbox/.test(type) || value === at.value));
      if (/number|search/.test(same?.type) && at.value !== at.defaultValue) same.value = at.value; // typed meanwhile
      for (const { dataset } of old.querySelectorAll(".fold[open]")) section.querySelector(`.fold[data-facet="${CSS.escape(dataset.facet)}"]`)?.setAttribute("open", "");
      same?.closest("details")?.setAttribute("open", "");
      same?.scrollIntoView({ block: "nearest" });
      same?.focus({ preventScroll: true });
      return same;
    }

    // The style is loaded before what it styles is shown.
    styled(link) {
      link.href = new URL(link.getAttribute("href"), `${home}/`);
      const old = [...this.root.querySelectorAll("link")];
      if (old.some((each) => each.href === link.href && each.sheet)) return;
      return new Promise((done) => {
        link.onload = link.onerror = () => { for (const each of old) each.remove(); done(); };
        setTimeout(done, 5000);
        this.root.prepend(link);
      });
    }

    disconnectedCallback() {
      super.disconnectedCallback();
      if (!this.stop) return;
      this.stop.abort();
      this.asked = null;
    }
  }

  // Where a page shows several products, the first has the parameter "quire", and each other one its own.
  const named = new Map();
  const nameOf = (element) => {
    for (const [name, owner] of named) {
      if (owner === element) return name;
      if (!owner.isConnected) named.delete(name);
    }
    const name = named.has("quire") ? `quire.${productOf(element)}` : "quire";
    named.set(name, element);
    return name;
  };

  customElements.define("quire-comments", class extends Block {
    constructor() {
      super();
      this.addEventListener("click", (event) => {
        const path = event.composedPath();
        if (path.some((each) => each.matches?.(".lost button"))) return this.again();
        const link = path.find((each) => each.localName === "a" && each.href);
        if (!link || (this.contains(link) && !link.closest("section.quire"))) return;
        if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented) return;
        const to = new URL(link.href);
        if (link.target || to.origin + to.pathname !== location.origin + location.pathname) return;
        event.preventDefault();
        // What the shop's server included has one name for the query.
        this.go(to.searchParams.get(this.contains(link) ? "quire" : this.name) ?? "", to.hash);
      });
      this.root.addEventListener("submit", (event) => {
        const form = event.target;
        if (form.matches(".vote")) {
          event.preventDefault();
          return this.vote(form.closest("article").id.slice(2), event.submitter.value);
        }
        if (form.getAttribute("method") !== "get") return;
        event.preventDefault();
        this.apply(form, "#list");
      });
      // Where all filters are shown, each choice is applied at once; words when they are sent.
      this.root.addEventListener("change", ({ target: { form, name } }) => {
        if (form?.id === "filters" && name && name !== "q" && form.checkValidity() && !form.previousElementSibling.offsetParent) this.apply(form, "");
      });
      // What a choice came to, for those who do not see it.
      this.said = Object.assign(document.createElement("p"), { className: "said" });
      this.said.setAttribute("role", "status");
      this.root.append(this.said);
      this.votes = new Map(); // by comment; "own" of what the customer wrote
    }

    connectedCallback() {
      this.name = nameOf(this); // before its key, which has the query of this name
      super.connectedCallback();
    }

    // A router may say only now that the element is another product's, whose query this is.
    back() {
      if (this.asked === this.key()) return;
      this.came = true;
      setTimeout(() => { this.came = false; }, 1000);
      this.start("query");
    }

    // A token that is renewed changes no comment.
    key() { return JSON.stringify([language(), productOf(this), this.query()]); }

    // It may have had another name, beside an element that is not there any more.
    query() {
      const all = new URLSearchParams(location.search);
      return all.get(this.name) ?? all.get(`quire.${productOf(this)}`) ?? "";
    }

    // The address of this page with another query of this element. A hash that is a route stays.
    address(query, hash = "") {
      const to = new URL(location);
      for (const name of [this.name, `quire.${productOf(this)}`]) to.searchParams.delete(name);
      if (!/^#[/!]/.test(to.hash)) to.hash = hash;
      if (query) to.searchParams.set(this.name, query);
      return to;
    }

    start(changed) {
      if (changed === "token") return this.adapt();
      if (changed === "product") {
        // Another product begins at its first page, unless the shop's script has changed the address.
        if (this.query() && this.query() === this.shown && !this.came) history.replaceState(history.state, "", this.address(""));
        if (this.name !== "quire") named.delete(this.name);
        this.name = nameOf(this);
      }
      if (!productOf(this)) return;
      // What the shop's server included is shown as it is.
      if (this.asked === undefined && this.querySelector("section.quire")) {
        this.asked = this.key();
        this.shown = this.query();
        this.adapt();
      } else {
        this.update(changed || !this.query() ? "" : location.hash);
      }
    }

    apply(form, hash) {
      const query = new URLSearchParams(new FormData(form));
      for (const [name, value] of [...query]) if (name === "ui" || !value || `${name}=${value}` === "sort=-created_at") query.delete(name, value);
      this.go(query.toString(), hash, !!hash);
    }

    // Who is signed in votes; the same again takes the vote back.
    async vote(id, value) {
      const again = this.votes.get(id) === value;
      const headers = { ...this.signed(), ...(!again && { "Content-Type": "application/json" }) };
      const body = again ? null : JSON.stringify({ vote: value });
      try {
        const answer = await ask(`${home}/v1/comments/${id}/vote`, { method: again ? "DELETE" : "PUT", headers, body });
        if (!answer.ok) throw refused(answer);
      } catch (error) {
        this.failed(error);
        return this.lose(() => this.vote(id, value));
      }
      this.votes.set(id, again ? "" : value);
      await this.update();
      this.root.querySelector(`#c-${id} .vote [value=${value}]`)?.focus();
    }

    signed() { return { Authorization: `Bearer ${this.getAttribute("token")}` }; }

    // Shows what needs this script.
    adapt() {
      const token = this.getAttribute("token");
      if (this.voter !== token) this.votes.clear(); // another customer's, perhaps
      this.voter = token;
      const unknown = [];
      for (const from of [this.root.querySelector("section") ? this.root : this]) {
        from.querySelector(".side")?.classList.add("follows");
        for (const form of from.querySelectorAll("form.vote")) {
          const id = form.closest("article").id.slice(2), vote = this.votes.get(id);
          form.hidden = !token || vote === "own";
          for (const button of form.querySelectorAll("button")) button.setAttribute("aria-pressed", vote === button.value);
          if (token && vote === undefined) unknown.push(id);
        }
      }
      if (unknown.length) this.recall(unknown);
    }

    // Asks how the customer voted on these comments, and which of them are the customer's own.
    async recall(ids) {
      const { voter, votes: known } = this;
      for (const id of ids) known.set(id, null); // asked for
      try {
        const answer = await ask(`${home}/v1/me/votes?${new URLSearchParams(ids.map((id) => ["comment", id]))}`, { headers: this.signed() });
        if (!answer.ok) throw refused(answer);
        const { votes, own } = await answer.json();
        if (this.voter !== voter) return;
        for (const id of ids) if (known.get(id) === null) known.set(id, own.includes(id) ? "own" : votes[id] ?? "");
        this.adapt();
      } catch (error) {
        if (this.voter !== voter) return;
        for (const id of ids) if (known.get(id) === null) known.delete(id);
        this.failed(error);
      }
    }

    // Says that what was asked for is not what is shown, with a button to ask again.
    lose(again) {
      const told = this.root.querySelector(".lost") ?? this.querySelector(".lost");
      if (!told) return; // what stands in the element
      this.again = () => { told.hidden = true; again(); };
      told.hidden = false;
      told.scrollIntoView({ block: "nearest" });
    }

    // The server knows the shop's page as "/": so all pages share its answers, whatever their addresses are.
    async update(hash, moves) {
      const query = this.shown = this.query();
      const loaded = await this.load(`fragment?${parameters({ base: "/", ...(query && { quire: query }) })}`);
      if (loaded === false) this.lose(() => this.update(hash, true));
      if (!loaded) return;
      for (const link of this.root.querySelectorAll("a[href]")) {
        const href = link.getAttribute("href"), to = new URL(href, `${home}/`);
        link.href = /^\/([?#]|$)/.test(href) ? this.address(to.searchParams.get("quire"), to.hash) : to;
      }
      this.adapt();
      const place = hash ? this.root.getElementById(hash.slice(1)) : null;
      place?.scrollIntoView();
      if (moves) (place ?? this.root.getElementById("list"))?.focus({ preventScroll: true });
    }

    async go(query, hash, moves = true) {
      history[query === this.query() ? "replaceState" : "pushState"](history.state, "", this.address(query, hash));
      await this.update(hash, moves);
      this.said.textContent = moves ? "" : this.root.getElementById("list-heading")?.textContent;
    }
  });

  customElements.define("quire-form", class extends Block {
    constructor() {
      super();
      this.root.addEventListener("submit", (event) => {
        event.preventDefault();
        if (!this.sending) this.post(event.target);
      });
    }

    start(changed) {
      const again = changed && changed !== "product";
      if (!productOf(this) || (again && (this.sending || this.root.querySelector(".thanks")))) return; // it is sent
      this.keeps = changed !== "product" && this.of === productOf(this);
      const token = this.getAttribute("token"), ticket = this.getAttribute("ticket");
      if (token) return this.send(new URLSearchParams({ token }));
      return this.load(`review?${parameters({ fragment: true, ...(ticket && { ticket }) })}`);
    }

    // Where a token is renewed, or the language is another, what was typed stays.
    put(section, old) {
      const at = this.root.activeElement, begin = at?.selectionStart, end = at?.selectionEnd;
      const typed = this.keeps && old.querySelector("form");
      const same = super.put(section, old);
      const form = section.querySelector("form");
      if (!typed || typed.elements.edit?.value !== form?.elements.edit?.value) return; // another customer's
      if (typed.closest("details")?.open) form?.closest("details").setAttribute("open", "");
      const values = new FormData(typed);
      for (const field of section.querySelectorAll("[name]:not([type=hidden])")) {
        if (/radio|checkbox/.test(field.type)) field.checked = values.getAll(field.name).includes(field.value);
        else if (values.has(field.name)) field.value = values.getAll(field.name).at(-1);
      }
      if (begin != null) same?.setSelectionRange?.(begin, end);
    }

    send(body) {
      body.set("fragment", "true");
      return this.load(`review?${parameters()}`, { method: "POST", body });
    }

    async post(form) {
      const find = (selector) => this.root.querySelector(selector);
      const lost = form.querySelector(".lost");
      lost.hidden = this.sending = true;
      this.keeps = false;
      const answered = await this.send(new URLSearchParams(new FormData(form)));
      this.sending = false;
      if (!answered) {
        lost.hidden = !lost.isConnected;
        return lost.scrollIntoView({ block: "nearest" });
      }
      const field = find("fieldset[aria-invalid=true] input,[aria-invalid=true]:not(fieldset)");
      const told = field ?? find("[role=alert]:not([hidden]),[role=status]");
      if (!field) told.tabIndex = -1;
      told.scrollIntoView({ block: "nearest" });
      told.focus();
      if (!find(".done")) return;
      if (find(".thanks")) this.dispatchEvent(new CustomEvent("quire-sent", { bubbles: true, detail: { product: productOf(this) } }));
      for (const each of live) if (each !== this && productOf(each) === productOf(this)) each.update?.();
    }
  });

  // The stars of a page are asked for together, and once.
  const outOf = { en: "out of 5 stars", de: "von 5 Sternen", fr: "sur 5 étoiles", es: "de 5 estrellas", it: "su 5 stelle", nl: "van 5 sterren", pl: "na 5 gwiazdek", pt: "de 5 estrelas", ja: "/ 星5つ", ar: "من ٥ نجوم" };
  let waiting = [];
  const askForStars = async () => {
    const all = waiting;
    waiting = [];
    const products = [...new Set(all.map(([, product]) => product))];
    while (products.length) {
      let count = 100;
      const query = () => `${new URLSearchParams(products.slice(0, count).map((each) => ["product", each]))}`;
      while (count > 1 && query().length > 4000) count >>= 1; // proxies take no long addresses
      const address = `${home}/v1/statistics?${query()}`;
      const part = new Set(products.splice(0, count));
      const each = (visit) => { for (const [element, product] of all) if (part.has(product) && productOf(element) === product) visit(element, product); };
      try {
        const answer = await ask(address);
        if (!answer.ok) throw refused(answer);
        const found = new Map((await answer.json()).products.map((one) => [one.product, one]));
        each((element, product) => element.fill(found.get(product) ?? {}, product));
      } catch (error) {
        each((element, product) => {
          element.asked = null;
          if (element.of !== product) element.fill({}); // no other product's
          element.failed(error);
        });
      }
    }
  };

  customElements.define("quire-stars", class extends Part {
    constructor() {
      super();
      this.root.adoptedStyleSheets = [starStyle];
    }

    start(changed) {
      this.asked = this.key();
      if (productOf(this) && waiting.push([this, productOf(this)]) === 1) setTimeout(askForStars);
    }

    update() { this.start(); }

    fill({ total, ratings }, product) {
      this.of = product;
      if (!total) return this.root.replaceChildren(document.createElement("slot"));
      const wanted = language() || navigator.language, [first] = wanted.split("-");
      // Numbers as in the other texts, whatever the region is.
      const tag = outOf[first] ? { ar: "ar-u-nu-arab", pt: "pt-BR" }[first] ?? first : wanted;
      const average = Object.entries(ratings).reduce((sum, [rating, count]) => sum + rating * count, 0) / total; // not rounded yet
      const number = (value, digits) => value.toLocaleString(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits });
      const label = `${number(average, 1)} ${outOf[first] ?? "/ 5"} (${number(total, 0)})`;
      const star = (x) => `<path d="M${x + 10} 1.9l2.5 5.1 5.6.8-4.05 3.95.95 5.6L${x + 10} 14.7l-5 2.65.95-5.6L${x + 1.9} 7.8l5.6-.8z"/>`;
      const stars = [0, 22, 44, 66, 88].map(star).join("");
      this.root.innerHTML = trusted.createHTML(`<svg part="stars" viewBox="0 0 108 20" role="img"><clipPath id="s">${stars}</clipPath><g fill="none" stroke="currentColor" stroke-width="1.3">${stars}</g><rect width="${average * 20}%" height="20" clip-path="url(#s)"/></svg><span part="count" aria-hidden="true"></span>`);
      this.root.firstChild.setAttribute("aria-label", label);
      this.root.lastChild.textContent = `(${number(total, 0)})`;
    }
  });
})();
