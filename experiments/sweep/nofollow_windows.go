package sweep

// noFollow is nothing on Windows, which has no such flag.
const noFollow = 0
