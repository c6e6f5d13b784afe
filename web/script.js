// The page is whole without this. On wide screens the list follows each choice in the filter form.
(() => {
  "use strict";
  const form = document.getElementById("filters");
  if (!form) return;

  const wide = matchMedia("(min-width: 56rem)"); // as in style.css
  const key = "quire.place";
  let timer = 0;

  document.documentElement.classList.add("follows");

  // The next page of this product begins at the control that led to it.
  const keepPlace = (selector) => {
    try {
      sessionStorage.setItem(key, JSON.stringify({ path: location.pathname, selector, y: scrollY }));
    } catch { /* without storage the place is not kept */ }
  };

  form.addEventListener("change", (event) => {
    if (!wide.matches) return; // on a phone the choices are made first, then applied
    const { name, value, type } = event.target;
    const selector = `#filters [name="${CSS.escape(name)}"]` + (type === "checkbox" ? `[value="${CSS.escape(value)}"]` : "");
    clearTimeout(timer);
    timer = setTimeout(() => {
      keepPlace(selector);
      form.requestSubmit();
    }, 300);
  });

  form.addEventListener("submit", () => {
    clearTimeout(timer);
    document.documentElement.classList.add("busy");
  });

  // The default order stays out of the address.
  form.addEventListener("formdata", (event) => {
    if (form.elements.sort.selectedIndex === 0) event.formData.delete("sort");
  });

  for (const bar of document.querySelectorAll(".bar[href]")) {
    bar.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // opens elsewhere; this page stays
      keepPlace(`.bar[data-rating="${bar.dataset.rating}"]`);
    });
  }

  // Back from another page: show the choices and the number this list was made with.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    document.documentElement.classList.remove("busy");
    for (const each of document.forms) each.reset();
  });

  // After a choice: back to the control it was made with.
  try {
    const place = JSON.parse(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
    if (place && place.path === location.pathname) {
      document.querySelector(place.selector)?.focus({ preventScroll: true });
      scrollTo(0, place.y);
    }
  } catch { /* nothing kept */ }
})();
