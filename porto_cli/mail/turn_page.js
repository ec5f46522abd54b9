(() => {
  "use strict";
  const LISTED = 40, FEW = 12;
  const find = (id) => document.getElementById(id);
  const fill = (id, parts) => find(id).replaceChildren(...parts);
  // Words can be anything, so no object that they are the keys of has keys of its own.
  const keyed = (entries) => Object.assign(Object.create(null), entries);
  const texts = {
    fit: "{count} legal moves are left.",
    lacking: "Still to be chosen: {count}.",
    move: "{move}",
    noted: "{move}: {note}",
    on: "It is your turn again after that. Go on with it here, or mail this move alone.",
    copied: "Copied.",
  };
  const data = JSON.parse(find("choices").textContent, (_, one) =>
    typeof one === "object" && one && !Array.isArray(one) ? keyed(one) : one);
  const drawn = [...document.querySelectorAll("[data-word]")].filter((piece) => {
    const owner = piece.closest("[data-seat]");
    return !owner || +owner.dataset.seat === data.seat;
  });
  // What was chosen: moves before this one in the turn, words of this one, or all of it.
  let now = { made: [], node: data.start, picked: [], move: null };
  const past = [];
  let moves, fitting, open, buttons;

  // The moves of a node of the graph. In one with counts, names in any numbers are behind "…".
  function read(node, words = []) {
    return Object.entries(data.graph[node]).flatMap(([word, next]) => {
      if (word) return read(next, [...words, word]);
      const [note, after, same, [counts, least, most, start] = [keyed(), 0, 0, {}]] = next;
      return [{ words, note, after, same, counts, least, most, start, many: next.length > 3 }];
    });
  }

  const times = (words, word) => words.filter((one) => one === word).length;
  const has = (word) => times(now.picked, word);
  const names = (move) => [...Object.keys(move.counts), ...move.words.filter((word) => word !== "…")];
  const counted = (move) => now.picked.filter((word) => move.counts[word]).length;
  const limit = (move, word) => move.counts[word] || times(move.words, word);
  const lacks = (move, word) =>
    has(word) < limit(move, word) && !(move.counts[word] && counted(move) >= move.most);
  const fits = (move) =>
    counted(move) <= move.most && now.picked.every((word) => has(word) <= limit(move, word));
  const isWhole = (move) => move.many
    ? counted(move) >= move.least && (fitting.length === 1 || move.words.every((word) => word === "…" || has(word)))
    : now.picked.length === move.words.length;

  function text(move) {
    const bundle = Object.keys(move.counts).filter(has).map((name) => has(name) > 1 ? `${name} ${has(name)}` : name);
    return move.words.map((word) => word === "…" ? bundle.join(" ") || "none" : word).join(" ");
  }

  const say = (name, facts) => texts[name].replace(/\{(\w+)\}/g, (all, fact) => facts[fact]);
  const told = (move) =>
    say(data.notes[move.note] ? "noted" : "move", { move: text(move), note: data.notes[move.note] });

  // As typed: a move with which another one goes on is continued in the same command.
  function commands(all) {
    const [porto, file, player] = data.command, lines = [];
    all.forEach((one, nth) => {
      const words = one.text.split(" ").map((word) => data.quoted[word] || word);
      if (nth && all[nth - 1].same) lines.push([lines.pop(), ...words].join(" "));
      else lines.push([porto + words[0] + file, ...words.slice(1)].join(" "));
    });
    return lines.map((line) => line + player).join("\n");
  }

  function element(name, content, click) {
    const made = document.createElement(name);
    made.textContent = content;
    made.onclick = click;
    return made;
  }

  // Opens a decision, with a button for each word that is a choice; those of a place are together.
  function begin() {
    const places = keyed(), rows = [];
    moves = read(now.node);
    buttons = keyed();
    for (const move of moves) for (const word of names(move)) {
      places[word] = Math.min(places[word] ?? Infinity, move.counts[word] ? 1 : move.words.indexOf(word));
    }
    const [{ words: [verb], start }] = moves, onlyOne = moves.every((move) => move.words[0] === verb);
    if (!now.picked.length && onlyOne) {
      now.picked = [verb, ...Object.entries(start).flatMap(([name, number]) => Array(number).fill(name))];
    }
    for (const word of Object.keys(places).sort()) if (word !== verb || !onlyOne) {
      buttons[word] = element("button", word, () => pick(word, []));
      (rows[places[word]] ||= element("div", "")).append(buttons[word]);
    }
    fill("words", rows.filter(Boolean));
    find("words").hidden = moves.length <= FEW && !moves.some((move) => move.many);
    show();
  }

  function change(made) {
    past.push(now);
    now = { ...now, move: null, ...made };
    if ("node" in made) begin();
    else show();
  }

  // Takes one more of a word, and the verb with it where only one is possible; else none of it.
  function pick(word, verbs) {
    const verb = verbs.filter((one) => open[word]?.has(one) && !has(one));
    if (open[word]) change({ picked: [...now.picked, ...(verb.length === 1 ? verb : []), word] });
    else if (has(word)) change({ picked: now.picked.filter((one) => one !== word) });
  }

  // Of equal pieces on the table, one that is picked is put back alone.
  function click(piece) {
    const verbs = piece.dataset.word.split(" "), word = verbs.pop(), picked = [...now.picked];
    const alike = drawn.filter((one) => one.dataset.word === piece.dataset.word);
    if (alike.length > 1 && piece.matches(".picked")) {
      picked.splice(picked.lastIndexOf(word), 1);
      change({ picked });
    } else if (piece.matches(".to-pick, .picked")) pick(word, verbs);
  }

  function show() {
    fitting = moves.filter(fits);
    const whole = fitting.filter(isWhole);
    const sure = fitting.length === 1 && !fitting[0].many ? fitting : whole;
    const move = now.move || (sure.length === 1 ? sure[0] : null);
    open = keyed();
    for (const one of fitting) for (const word of names(one)) {
      if (lacks(one, word)) (open[word] ||= new Set()).add(one.words[0]);
    }
    for (const [word, button] of Object.entries(buttons)) {
      button.textContent = has(word) > 1 ? `${word} ×${has(word)}` : word;
      button.setAttribute("aria-pressed", has(word) > 0);
      button.setAttribute("aria-disabled", !has(word) && !open[word]);
    }
    const begun = new Set(fitting.map((one) => one.words[0])), shown = [];
    for (const piece of drawn) {
      const verbs = piece.dataset.word.split(" "), word = verbs.pop();
      shown.push(piece.dataset.word);
      piece.classList.toggle("picked", has(word) >= times(shown, piece.dataset.word)
        && verbs.some((verb) => begun.has(verb)));
      piece.classList.toggle("to-pick", verbs.some((verb) => open[word]?.has(verb)));
    }
    const listed = (fitting.length > LISTED ? whole : fitting).filter((one) => !one.many || one === move);
    const begins = (one) => now.picked.every((word, nth) => one.words[nth] === word);
    listed.sort((one, other) => begins(other) - begins(one) || one.note - other.note);
    const focused = find("fits").contains(document.activeElement);
    fill("fits", listed.map((one) => {
      const button = element("button", told(one), () => {
        change({ picked: one.many ? now.picked : one.words, move: one });
        (find("mail") || find("back")).focus();
      });
      button.setAttribute("aria-pressed", one === move);
      return button;
    }));
    if (focused) find("fits").firstChild?.focus();
    tell(move);
  }

  function tell(move) {
    const all = move ? [...now.made, { text: text(move), same: move.same }] : now.made;
    const lines = all.map((one) => one.text), goesOn = Number.isInteger(move?.after);
    const lacking = fitting.length === 1 && fitting[0].least - counted(fitting[0]);
    const count = lacking || fitting.length;
    find("said").textContent = move ? told(move) + (goesOn ? ` ${texts.on}` : "")
      : say(lacking ? "lacking" : "fit", { count });
    fill("made", now.made.map((one) => element("li", one.text)));
    find("on").hidden = !goesOn;
    find("on").onclick = goesOn && (() => {
      change({ made: all, node: move.after, picked: [] });
      document.querySelector("#words:not([hidden]) button, #fits button").focus();
    });
    find("back").disabled = !past.length;
    find("command").textContent = move ? commands(all) : "";
    if (!data.link) return;
    const [head, field, about] = data.link;
    find("text").textContent = move ? lines.join("\n") + data.about : "";
    if (move) find("mail").href = head + field + encodeURIComponent(lines.join("\r\n")) + about;
    else find("mail").removeAttribute("href");
  }

  function back() {
    const { node } = now;
    now = past.pop() || now;
    if (now.node === node) show();
    else begin();
  }

  for (const piece of drawn) {
    const box = piece.getBBox(), frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const name of ["x", "y", "width", "height"]) frame.setAttribute(name, box[name]);
    frame.setAttribute("class", "frame");
    piece.append(frame);
    piece.onclick = () => click(piece);
  }
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") back(); });
  find("back").onclick = back;
  for (const one of document.querySelectorAll("[data-copy]")) one.onclick = () => {
    getSelection().selectAllChildren(find(one.dataset.copy));
    if (document.execCommand("copy")) find("said").textContent = texts.copied;
  };
  find("offers").hidden = true;
  find("turn").hidden = false;
  begin();
})();
