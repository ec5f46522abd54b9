(function () {
  "use strict";
  var root = document.documentElement;
  var articles = [].slice.call(document.querySelectorAll("article"));
  // Without ids the browser does not scroll to the turn that the address names.
  var anchors = articles.map(function (article) {
    var anchor = article.id;
    article.removeAttribute("id");
    return anchor;
  });
  var pieces = [].slice.call(document.querySelectorAll("[data-f]")).map(function (piece) {
    return [piece, +piece.dataset.f, piece.dataset.t ? +piece.dataset.t : Infinity];
  });
  var find = function (id) { return document.getElementById(id); };
  var slider = find("slider"), cursor = find("cursor"), all = find("all");
  var last = articles.length - 1, now = -1;

  function show(frame) {
    frame = Math.min(Math.max(frame, 0), last);
    if (frame === now) return;
    if (now >= 0) articles[now].classList.remove("now");
    now = frame;
    articles[now].classList.add("now");
    pieces.forEach(function (piece) {
      piece[0].style.display = piece[1] <= now && now < piece[2] ? "inline" : "none";
    });
    if (cursor) cursor.setAttribute("transform", "translate(" + now * cursor.dataset.step + ")");
    slider.value = now;
    slider.setAttribute("aria-valuetext", articles[now].querySelector("h3").textContent);
    find("first").disabled = find("back").disabled = now === 0;
    find("next").disabled = find("last").disabled = now === last;
    if (!root.classList.contains("one")) articles[now].scrollIntoView({ block: "nearest" });
    try { history.replaceState(null, "", "#" + anchors[now]); } catch (error) { /* not allowed in a mail */ }
  }

  function follow() {
    var found = anchors.indexOf(location.hash.slice(1));
    show(found < 0 ? last : found);
  }

  var keys = {
    ArrowLeft: function () { show(now - 1); },
    ArrowRight: function () { show(now + 1); },
    Home: function () { show(0); },
    End: function () { show(last); }
  };
  document.addEventListener("keydown", function (event) {
    if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  find("first").onclick = keys.Home;
  find("back").onclick = keys.ArrowLeft;
  find("next").onclick = keys.ArrowRight;
  find("last").onclick = keys.End;
  slider.oninput = function () { show(+slider.value); };
  all.onclick = function () {
    all.setAttribute("aria-pressed", String(!root.classList.toggle("one")));
    articles[now].scrollIntoView({ block: "nearest" });
  };
  if (cursor) find("chart").onclick = function (event) {
    var box = event.currentTarget.getBoundingClientRect(), chart = event.currentTarget.viewBox.baseVal;
    var x = (event.clientX - box.left) * chart.width / box.width;
    show(Math.round((x - cursor.dataset.start) / cursor.dataset.step));
  };
  window.addEventListener("hashchange", follow);
  slider.max = last;
  root.classList.add("js", "one");
  follow();
})();
