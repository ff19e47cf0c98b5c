package rules

import (
	"log"
	"os"
	"testing"
)

// TestMain runs the tests in the root of the project, of which all their paths are.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		log.Fatal(err)
	}
	os.Exit(m.Run())
}
