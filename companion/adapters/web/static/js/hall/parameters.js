// What the pages for an audience may be asked for in their addresses.

export const HALL = /** @type {const} */ ({
  stays: { kind: "number", low: 0, high: 600, usual: 12 },
});

export const OVERLAY = /** @type {const} */ ({
  place: { kind: "one", of: ["top", "bottom", "left", "right"], usual: "left" },
  size: { kind: "one", of: ["small", "medium", "large"], usual: "medium" },
  theme: { kind: "one", of: ["dark", "light", "clear"], usual: "dark" },
  shows: { kind: "some", of: ["order", "card", "scores", "turn", "clocks"],
    usual: ["order", "card", "clocks"] },
  stays: { kind: "number", low: 0, high: 600, usual: 10 },
});
