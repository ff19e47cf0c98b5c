package sweep

// ownFlags are none on Windows, which has no such flags.
const ownFlags = 0
