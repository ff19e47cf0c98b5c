package selector

import (
	"fmt"
	"path/filepath"
	"slices"

	"breadboard/chains/errs"
)

// Unread returns an error for a path whose ending is that of a format of other programs that is not
// read. The error says how to convert the file. It returns nil for other paths.
func Unread(path string) error {
	const (
		pyagrum = `in Python, write import pyagrum; pyagrum.saveBN(pyagrum.loadBN(%[1]q), "%[1]s.bif")`
		genie   = "open it in GeNIe, and save it as .xdsl; then "
	)
	for _, f := range []struct {
		endings     []string
		title, cure string // the cure has %[1]s for the name of the file
	}{
		{[]string{".xdsl"}, "GeNIe's XDSL", pyagrum},
		{[]string{".net"}, "Hugin's NET", pyagrum},
		{[]string{".xml", ".xmlbif", ".bifxml"}, "XMLBIF", "give it the ending .bifxml; then " + pyagrum},
		{[]string{".dsc"}, "DSC", `in R, write bnlearn::write.bif("%[1]s.bif", bnlearn::read.dsc(%[1]q))`},
		{[]string{".fg"}, "libDAI's factor graph", "write the network as %[1]s.uai"},
		{[]string{".tra", ".lab", ".srew", ".sta", ".drn", ".umb"}, "one of model checkers",
			"write transitions as a matrix in %[1]s.mtx (MatrixMarket, states from 1), and a number for " +
				"each state as a line of %[1]s.csv"},
		{[]string{".m"}, "MATLAB's code",
			"in MATLAB, write writematrix(full(P), '%[1]s.csv') for a matrix P"},
		{[]string{".rds"}, "R's RDS",
			`in R, write bnlearn::write.bif("%[1]s.bif", readRDS(%[1]q)) for a network, or ` +
				`write.table(readRDS(%[1]q), "%[1]s.csv", sep = ",", row.names = FALSE, col.names = ` +
				`FALSE) for numbers`},
		{[]string{".rda", ".rdata"}, "R's workspace",
			`in R, write bnlearn::write.bif("%[1]s.bif", get(load(%[1]q))) for a network, or ` +
				`write.table(get(load(%[1]q)), "%[1]s.csv", sep = ",", row.names = FALSE, col.names = ` +
				`FALSE) for numbers`},
		{[]string{".nc", ".nc4", ".netcdf"}, "NetCDF",
			`in Python, write import numpy, xarray; numpy.save("%[1]s.npy", xarray.open_dataset(%[1]q)["VARIABLE"])`},
		{[]string{".wcsp", ".cfn"}, "toulbar2's",
			"write the network as %[1]s.uai, with exp(-cost) in its tables"},
		{[]string{".dne", ".dsl", ".erg"}, "one that GeNIe reads", genie + pyagrum},
		{[]string{".neta"}, "Netica's", "save it as .dne in Netica; " + genie + pyagrum},
		{[]string{".oobn"}, "Hugin's object-oriented one",
			"in Hugin, save the network in run mode as .net; then " + pyagrum},
	} {
		if slices.Contains(f.endings, Ending(path)) {
			cure := fmt.Sprintf(f.cure, filepath.Base(path))
			return errs.New("%s: the format is %s, which is not read; %s", path, f.title, cure)
		}
	}
	return nil
}
