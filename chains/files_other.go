//go:build !unix

package chains

// withoutWaiting is nothing where opening does not wait.
const withoutWaiting = 0
