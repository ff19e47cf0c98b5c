package networks

import (
	"fmt"
	"path/filepath"
	"slices"

	"breadboard/chains/selector"
)

// Unread returns an error for a path whose ending is that of a format of other programs that cannot
// be read. The error says how to convert the file. It returns nil for other paths.
func Unread(path string) error {
	const genie = "open it in GeNIe, and save it as .xdsl"
	ending, name := selector.Ending(path), filepath.Base(path)
	for _, f := range []struct {
		endings     []string
		title, cure string
	}{
		{[]string{".rds"}, "R's RDS",
			fmt.Sprintf(
				`in R, write bnlearn::write.bif("%[1]s.bif", readRDS(%[1]q)) for a network, or write.table(readRDS(%[1]q), "%[1]s.csv", sep = ",", row.names = FALSE, col.names = FALSE) for numbers`,
				name)},
		{[]string{".rda", ".rdata"}, "R's workspace",
			fmt.Sprintf(
				`in R, write bnlearn::write.bif("%[1]s.bif", get(load(%[1]q))) for a network, or write.table(get(load(%[1]q)), "%[1]s.csv", sep = ",", row.names = FALSE, col.names = FALSE) for numbers`,
				name)},
		{[]string{".nc", ".nc4", ".netcdf"}, "NetCDF",
			fmt.Sprintf(`in Python, write import numpy, xarray; numpy.save("%[1]s.npy", xarray.open_dataset(%[1]q)["VARIABLE"])`, name)},
		{[]string{".wcsp", ".cfn"}, "toulbar2's", "write the network in the format of the UAI competitions, with exp(-cost) in its tables"},
		{[]string{".dne"}, "Netica's", genie},
		{[]string{".neta"}, "Netica's", "save it as .dne in Netica; then " + genie},
		{[]string{".dsl", ".erg"}, "an older one of GeNIe or Ergo", genie},
		{[]string{".oobn"}, "Hugin's object-oriented one", "in Hugin, save the network in run mode as .net"},
	} {
		if slices.Contains(f.endings, ending) {
			return fmt.Errorf("%s: the format is %s, which is not read; %s", path, f.title, f.cure)
		}
	}
	return nil
}
