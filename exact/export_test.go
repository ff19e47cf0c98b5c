package exact

// WithReversalIn is WithReversal with another limit on its memory, in bytes.
var WithReversalIn = withReversal // read only
