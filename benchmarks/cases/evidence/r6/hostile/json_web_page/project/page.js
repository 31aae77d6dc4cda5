fetch("/lift").then(r => r.json()).then(data => {
  show(data.floor + (data.doors === "open" ? " *" : ""));
});
