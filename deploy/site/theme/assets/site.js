// Make what the theme adds to an open page accessible: correct a role, and let the keyboard scroll wide code.
function complete() {
  for (const buttons of document.querySelectorAll(".md-code__nav")) buttons.role = "none";
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
}
new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });
complete();
