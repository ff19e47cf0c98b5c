//go:build !unix

package selector

// withoutWaiting is zero, since on these systems opening does not wait.
const withoutWaiting = 0
