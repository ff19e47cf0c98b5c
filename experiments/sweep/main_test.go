package sweep

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets garbage grow to four times what is alive before it is collected. These tests make much that lives shortly while little
// is alive, and with the default they would spend a quarter of their time in the collector.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
