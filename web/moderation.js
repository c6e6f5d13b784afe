// The page of moderators works without this script. With it, all reviews of a page are chosen at once, and keys decide.
// Decisions by keys wait in the form as drafts, and are sent together: a page of the queue takes one request.
(() => {
  "use strict";

  // All comments of a page are chosen at once.
  const all = document.getElementById("choose-all");
  if (all) {
    const boxes = [...document.querySelectorAll(".choose input")];
    const follow = () => {
      const chosen = boxes.filter((box) => box.checked);
      all.checked = chosen.length === boxes.length;
      all.indeterminate = !all.checked && chosen.length > 0;
      // The only one is named, for it may be out of view.
      const named = chosen.length === 1 && chosen[0].closest(".queued").querySelector(".comment-title, .comment-text");
      const words = named ? [...named.textContent.trim()].slice(0, 80).join("") : "";
      document.getElementById("selected").dataset.named = words && `“\u2068${words}\u2069”`;
    };
    all.parentElement.hidden = false;
    all.addEventListener("change", () => {
      boxes.forEach((box) => { box.checked = all.checked; });
      follow();
    });
    for (const box of boxes) box.addEventListener("change", follow);
    addEventListener("pageshow", follow); // the browser may restore choices
    all.form.addEventListener("reset", (event) => {
      event.preventDefault(); // the notes stay
      boxes.forEach((box) => { box.checked = false; });
      follow();
      all.focus();
    });
  }

  // Who rejects gives a reason. Without one nothing is sent, so that notes and choices stay.
  const hasReason = (details) => {
    const reason = details.querySelector("select");
    if (reason.value) return true;
    reason.setCustomValidity("Choose a reason.");
    reason.reportValidity();
    reason.setCustomValidity("");
    return false;
  };
  document.querySelector(".decisions")?.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=reject], button[name=bulk][value=rejected]");
    if (button && !hasReason(button.closest("details"))) event.preventDefault();
  });

  const undo = document.getElementById("undo");
  if (undo) setTimeout(() => undo.remove(), 30_000); // as long as the server knows what to take back

  const sheet = document.getElementById("keys");
  if (!sheet) return; // nobody is signed in

  // An empty queue has no form.
  const form = document.querySelector(".decisions");
  const rows = [...document.querySelectorAll(".queued")];
  const bar = document.querySelector(".drafts");
  const opener = document.getElementById("show-keys");
  const switched = document.getElementById("keys-on");
  const stored = (key, value) => {
    try {
      return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value);
    } catch { return null; /* without storage a page knows its own alone */ }
  };
  const drafts = []; // the rows, in the order in which they were decided
  let sending = false;

  const present = () => document.activeElement?.closest(".queued");
  const show = (row) => {
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  };
  const step = (by) => {
    const at = rows.indexOf(present());
    const row = at < 0 ? rows[0] : rows[at + by];
    if (row) show(row);
  };

  const tell = () => {
    bar.hidden = drafts.length === 0;
    bar.firstElementChild.textContent = `${drafts.length} of ${rows.length} decided, not sent yet.`;
  };
  const send = () => {
    sending = true;
    form.requestSubmit();
  };
  const forget = (row) => {
    row.querySelectorAll(".draft").forEach((each) => each.remove());
    row.classList.remove("drafted", "drafted-reject");
    drafts.splice(drafts.indexOf(row), 1);
    tell();
  };
  // The value is that of the row's button, which is not pressed.
  const draft = (row, button, words) => {
    if (drafts.includes(row)) forget(row);
    const field = Object.assign(document.createElement("input"), { type: "hidden", className: "draft", name: button.name, value: button.value });
    const note = Object.assign(document.createElement("p"), { className: "draft held", textContent: `${words}, not sent yet` });
    row.querySelector(".queued-comment").append(field, note);
    row.classList.add("drafted");
    row.classList.toggle("drafted-reject", button.name === "reject");
    drafts.push(row);
    tell();
    const at = rows.indexOf(row);
    const next = [...rows.slice(at + 1), ...rows.slice(0, at)].find((each) => !drafts.includes(each));
    if (next) show(next);
    else send();
  };

  const publish = (row) => {
    const button = row.querySelector("[name=publish]:not(.draft)");
    if (button) draft(row, button, "Publish");
  };
  const open = (row, part, field) => {
    const details = row.querySelector(part);
    if (!details) return; // this token may not reply
    details.open = true;
    details.dataset.byKey = "";
    details.querySelector(field).focus();
  };
  const reject = (details) => {
    if (!hasReason(details)) return;
    const reason = details.querySelector("select");
    details.open = false;
    draft(details.closest(".queued"), details.querySelector("[name=reject]"), `Reject: ${reason.selectedOptions[0].text}`);
  };
  const keepNote = (details) => form.requestSubmit(details.querySelector("[name=keep-note]"));
  // A reply that was typed and is not sent with this form.
  const unsentReply = (sent) => rows.map((row) => row.querySelector(".answer textarea")).find((text) => text && text.form !== sent && text.value !== text.defaultValue);
  const loses = (sent) => {
    const reply = unsentReply(sent);
    if (reply && !confirm("A reply that you typed is not published. Lose it?")) {
      reply.closest("details").open = true;
      reply.focus();
      return false;
    }
    return sent === form || drafts.length === 0 || confirm(`${drafts.length} of ${rows.length} decided, not sent yet. Lose these decisions?`);
  };
  const takeBack = () => {
    const last = drafts.at(-1);
    if (!last) return document.getElementById("undo")?.requestSubmit();
    forget(last);
    show(last);
  };
  const filter = () => {
    const details = document.querySelector(".queue-filter");
    details.open = true;
    details.querySelector("input:not([type=hidden])").focus();
  };

  const keys = {
    j: () => step(1),
    k: () => step(-1),
    p: () => (present() ? publish(present()) : step(1)),
    r: () => (present() ? open(present(), ".reject", "select") : step(1)),
    n: () => (present() ? open(present(), ".reject", "input") : step(1)),
    a: () => (present() ? open(present(), ".answer", "textarea") : step(1)),
    u: takeBack,
    "/": filter,
    "?": () => sheet.showModal(),
    Enter: () => { if (drafts.length > 0) send(); },
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.keyCode === 229 || sheet.open) return; // 229: Safari's end of composing
    const details = event.target.closest?.("[data-by-key]");
    const typing = event.target.matches?.("input:not([type=checkbox]), select, textarea");
    // A key that is held goes from row to row, and decides once.
    if (event.repeat && !/^[jk]$/.test(event.key) && (!typing || event.key === "Enter")) {
      if (Object.hasOwn(keys, event.key) && event.target.localName !== "textarea") event.preventDefault();
      return;
    }
    if (details && event.key === "Escape") {
      details.open = false;
      return show(details.closest(".queued"));
    }
    if (details?.matches(".reject") && event.key === "Enter" && event.target.matches("select, input")) {
      event.preventDefault();
      return details.querySelector("select").value || event.target.matches("select") ? reject(details) : keepNote(details);
    }
    const pressing = event.key === "Enter" && event.target.matches?.("a, button, summary, input");
    const deed = Object.hasOwn(keys, event.key) && (switched.checked || event.key === "?") && !typing && !pressing && keys[event.key];
    if (!deed) return;
    event.preventDefault();
    stored("quire.keys-used", "1");
    deed();
  });

  // A button of a review decides on it in place of its draft.
  addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (target.method !== "post") return;
    const row = submitter?.closest(".queued");
    const decided = target === form && drafts.includes(row);
    if (decided && submitter.name === "keep-note") {
      event.preventDefault();
      const note = row.querySelector(".reject input");
      note.setCustomValidity("Take the decision back first: key u.");
      note.reportValidity();
      note.setCustomValidity("");
      return;
    }
    sending = loses(target);
    if (!sending) event.preventDefault();
    else if (decided) forget(row);
  });
  addEventListener("beforeunload", (event) => {
    if (drafts.length > 0 && !sending) event.preventDefault();
  });
  addEventListener("pageshow", ({ persisted }) => { if (persisted) sending = false; });

  // What is there when a page comes is often not read out, and the focus goes on to a review.
  const told = document.querySelector(".told");
  const said = Object.assign(document.createElement("p"), { className: "sr" });
  said.setAttribute("role", "status");
  document.body.append(said);
  if (told) setTimeout(() => { said.textContent = told.textContent; }, 500);

  switched.checked = stored("quire.keys") !== "off";
  switched.addEventListener("change", () => stored("quire.keys", switched.checked ? "on" : "off"));
  if (opener) opener.hidden = false;
  opener?.addEventListener("click", () => sheet.showModal());
  const last = rows.find(({ id }) => `#${id}` === location.hash); // which has a note or a reply now
  if (last) show(last);
  else if (switched.checked && rows.length > 0 && stored("quire.keys-used")) show(rows[0]); // who works by keys goes on
})();
