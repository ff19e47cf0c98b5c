//go:build !unix

package selector

// withoutWaiting is zero, since on these systems no flag is needed for opening not to wait.
const withoutWaiting = 0
