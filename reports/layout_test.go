package reports

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"breadboard/reports/figure"
)

var pictures = flag.String("pictures", "", "also write the figures that are checked to this folder as PNG, at both widths")

// checkLayout looks for faults of a figure at its own width and at that of a column of a paper.
func checkLayout(t *testing.T, f *figure.Figure) {
	t.Helper()
	for name, s := range map[string]figure.Style{"own": {}, "column": {Width: 3.25 * vg.Inch}} {
		for _, fault := range f.In(s).Layout().Faults() {
			t.Errorf("%s, width %s: %s", f.Name, name, fault)
		}
		if *pictures == "" {
			continue
		}
		data, err := f.In(s).Encode("png")
		if err != nil {
			t.Fatal(err)
		}
		file := fmt.Sprintf("%s_%s_%s.png", f.Name, strings.ReplaceAll(t.Name(), "/", "_"), name)
		if err := os.WriteFile(filepath.Join(*pictures, file), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
