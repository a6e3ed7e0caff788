// The definition of a term appears when one points at it or reaches it with the Tab key. Without this
// script, the browser shows it as the link's title.
document.addEventListener("DOMContentLoaded", () => {
    const tooltip = document.createElement("div");
    tooltip.id = "term-tooltip";
    tooltip.setAttribute("role", "tooltip");
    tooltip.hidden = true;
    document.body.append(tooltip);

    const show = (term) => {
        tooltip.textContent = term.dataset.definition;
        tooltip.hidden = false;
        const word = term.getBoundingClientRect();
        const room = document.documentElement.clientWidth - tooltip.offsetWidth - 8;
        const above = word.top - tooltip.offsetHeight - 4;
        tooltip.style.left = `${scrollX + Math.max(8, Math.min(word.left, room))}px`;
        tooltip.style.top = `${scrollY + (above > 60 ? above : word.bottom + 4)}px`;
    };
    const hide = () => { tooltip.hidden = true; };

    for (const term of document.querySelectorAll("a.term")) {
        term.dataset.definition = term.title;
        term.removeAttribute("title");
        term.setAttribute("aria-describedby", tooltip.id);
        term.addEventListener("pointerenter", () => show(term));
        term.addEventListener("focus", () => show(term));
        term.addEventListener("pointerleave", hide);
        term.addEventListener("blur", hide);
    }
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
});
