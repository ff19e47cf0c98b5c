//go:build !unix

package selector

// withoutWaiting is nothing where opening does not wait.
const withoutWaiting = 0
