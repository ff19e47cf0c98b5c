package main

import (
	"os"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestLicences: THIRD_PARTY is what the modules of all platforms give, with the texts of the
// licences that must go along, and the bill of materials names each module and its licences.
func TestLicences(t *testing.T) {
	t.Chdir("../..")
	list := longtest.Must(modules())(t)
	text := licences(list)
	if text != string(longtest.Must(os.ReadFile(thirdParty))(t)) {
		t.Error(thirdParty, "is another file: go run ./.ci/dist licences")
	}
	for _, part := range []string{"\ngithub.com/inconshreveable/mousetrap v", "SIL OPEN FONT LICENSE",
		"FreeType Project", "Copyright 2009 The Go Authors", "Apache License",
		"Permission is hereby granted", "Stephen L. Moshier"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q", part)
		}
	}
	sbom := string(longtest.Must(bill(list))(t))
	for _, m := range list {
		if !strings.Contains(sbom, "/"+strings.TrimPrefix(m.path, "Go")) ||
			!strings.Contains(sbom, `": "`+m.names[0]+`"`) {
			t.Errorf("no %s in the bill", m.path)
		}
	}
}
