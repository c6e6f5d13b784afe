// The page works without this script. With it, on wide screens, each choice in the filter form is applied at once.
(() => {
  "use strict";

  const here = document.currentScript.src; // PATH/static/HASH/script.js

  // An address from before comments had one of their own names the page on which the comment was, and its anchor. If it
  // is on another page by now, the server knows on which. Once, because the comment may be moving.
  const lost = /^#c-([0-9A-Z]{26})$/.exec(location.hash);
  if (lost && !document.getElementById(lost[0].slice(1))) {
    try {
      const seen = "quire.sought";
      if (sessionStorage.getItem(seen) !== lost[1]) {
        sessionStorage.setItem(seen, lost[1]);
        location.replace(new URL(`../../comments/${lost[1]}/page`, here));
      }
    } catch { /* without storage the page stays at its top */ }
  }

  const other = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };

  // The whole of a long text comes where its beginning stands.
  for (const link of document.querySelectorAll(".read-all a")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const beginning = link.closest("article").querySelector(":scope > div");
      other(link.href).then((page) => {
        const whole = page.querySelector(".comment > div");
        whole.tabIndex = -1;
        beginning.replaceWith(whole);
        link.parentElement.remove();
        whole.focus({ preventScroll: true });
      }).catch(() => location.assign(link.href));
    });
  }

  // A picture opens above the page. Escape closes it, and so does a click.
  for (const link of document.querySelectorAll(".pictures a")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const opened = document.body.appendChild(document.createElement("dialog"));
      const button = opened.appendChild(document.createElement("button"));
      const pictures = [...link.closest("ul").querySelectorAll("img")];
      let at = pictures.indexOf(link.firstElementChild);
      const show = () => button.replaceChildren(Object.assign(pictures[at].cloneNode(), { loading: "eager" }));
      show();
      opened.className = "opened";
      // The other pictures of the comment.
      opened.addEventListener("keydown", ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key] * (getComputedStyle(link).direction === "rtl" ? -1 : 1);
        if (!pictures[at + step]) return;
        at += step;
        show();
      });
      opened.addEventListener("click", () => opened.close());
      opened.addEventListener("close", () => opened.remove());
      opened.showModal();
    });
  }

  // A fault goes once something is chosen or typed in its place.
  for (const write of document.querySelectorAll(".write")) {
    write.addEventListener("input", ({ target }) => {
      const field = target.closest("[aria-describedby$=-fault]");
      const fault = field && document.getElementById(field.getAttribute("aria-describedby"));
      if (!fault) return;
      const list = write.querySelector("[role=alert] ul");
      list?.querySelector(`[href="#${CSS.escape(field.id)}"]`)?.parentElement.remove();
      if (list?.children.length === 0) list.parentElement.remove();
      fault.remove();
      for (const name of ["aria-invalid", "aria-describedby"]) field.removeAttribute(name);
    });
  }

  const form = document.getElementById("filters");
  if (!form) return;

  const wide = matchMedia("(min-width: 56rem)"); // as in style.css
  const key = "quire.position";
  let timer = 0;

  document.documentElement.classList.add("follows");

  // The next page of this product scrolls to the control that led to it.
  const keepPosition = (selector) => {
    try {
      const open = [...form.querySelectorAll(".fold[open]")].map((fold) => fold.dataset.facet);
      sessionStorage.setItem(key, JSON.stringify({ path: location.pathname, selector, y: scrollY, open }));
    } catch { /* without storage the page opens at its top */ }
  };

  const selectorOf = ({ name, value, type }) => `#filters [name="${CSS.escape(name)}"]` + (type === "checkbox" ? `[value="${CSS.escape(value)}"]` : "");

  form.addEventListener("change", (event) => {
    if (!wide.matches) return; // on a phone a button applies the choices
    if (!event.target.name || !event.target.checkValidity()) return; // finds values, or is no number yet
    clearTimeout(timer);
    timer = setTimeout(() => {
      const next = document.activeElement;
      keepPosition(selectorOf(next.name && next.form === form ? next : event.target));
      form.requestSubmit();
    }, 300);
  });

  // While a number is typed, the choice before it waits.
  form.addEventListener("input", () => clearTimeout(timer));

  form.addEventListener("submit", () => {
    clearTimeout(timer);
    if (wide.matches && document.activeElement === form.elements.q) keepPosition("#q");
    if (!wide.matches) form.setAttribute("action", `${form.getAttribute("action").split("#")[0]}#list`); // below all that stands above it
    document.documentElement.classList.add("busy");
  });

  // The default sort, and words and bounds that are not set, are not in the address.
  form.addEventListener("formdata", (event) => {
    if (form.elements.sort.selectedIndex === 0) event.formData.delete("sort");
    for (const [name, value] of [...event.formData]) if (value === "" && /^q$|\.(min|max)$/.test(name)) event.formData.delete(name);
  });

  // A field above a long list of values shows those that contain its text.
  const addFind = (list) => {
    const field = document.createElement("input");
    field.type = "search";
    field.className = "find";
    field.placeholder = list.dataset.find;
    field.autocomplete = "off";
    field.setAttribute("aria-label", list.dataset.findIn);
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLocaleLowerCase();
      for (const option of list.children) option.hidden = !option.querySelector("bdi").textContent.toLocaleLowerCase().includes(wanted);
    });
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); }); // it submits nothing
    list.before(field);
    return field;
  };
  for (const list of document.querySelectorAll(".options-many")) addFind(list);

  // All values of a facet, which its link leads to, come into their place.
  for (const link of form.querySelectorAll(".more")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const { facet } = link.closest("details").dataset;
      const list = link.previousElementSibling;
      const chosen = new Set([...list.querySelectorAll(":checked")].map((box) => box.value));
      other(link.href).then((page) => {
        const all = page.querySelector(`details[data-facet="${CSS.escape(facet)}"] .options`);
        for (const box of all.querySelectorAll("input")) box.checked = chosen.has(box.value);
        list.replaceWith(all);
        link.remove();
        (all.matches(".options-many") ? addFind(all) : all.querySelector("input")).focus();
      }).catch(() => location.assign(link.href));
    });
  }

  for (const bar of document.querySelectorAll(".bar[href]")) {
    bar.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // opens in another tab or window
      keepPosition(`.bars > li:nth-child(${[...bar.closest("ul").children].indexOf(bar.parentNode) + 1}) > .bar`);
    });
  }

  // The browser's Back may restore changed forms: show the choices that this list was made with.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    document.documentElement.classList.remove("busy");
    for (const each of document.forms) each.reset();
  });

  // After a choice: scroll to the control that made it.
  try {
    const position = JSON.parse(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
    if (position && position.path === location.pathname) {
      for (const facet of position.open ?? []) form.querySelector(`[data-facet="${CSS.escape(facet)}"]`)?.setAttribute("open", "");
      const control = document.querySelector(position.selector);
      control?.closest("details")?.setAttribute("open", "");
      control?.scrollIntoView({ block: "nearest" }); // in a list that scrolls
      control?.focus({ preventScroll: true });
      scrollTo(0, position.y);
    }
  } catch { /* no position was kept */ }
})();
