package selector

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"breadboard/chains/errs"
)

// unread is a format of other programs that is not read, or not as text.
type unread struct {
	title   string
	endings string // separated by blanks
	begins  string // the first bytes of such a file, or some of them * what follows, separated by |
	cure    string // how to convert it, or which reader takes it, with FILE for its name
	draws   string // the same if draws are wanted; a file of draws is refused by its ending only if there is one
}

// formats lists the formats that are not read.
func formats() []unread {
	const (
		pyagrum = `in Python, write import pyagrum; pyagrum.saveBN(pyagrum.loadBN("FILE"), "FILE.bif")`
		genie   = "open it in GeNIe, and save it as .xdsl; then "
		array   = `in Python, write import numpy, MODULE; numpy.save("FILE.npy", `
		inR     = `in R, write bnlearn::write.bif("FILE.bif", OBJECT) for a network, or write.table(OBJECT, ` +
			`"FILE.csv", sep = ",", row.names = FALSE, col.names = FALSE) for numbers`
		drawsInR = `in R, write write.csv(posterior::as_draws_df(OBJECT), "FILE.csv", row.names = FALSE)`
		frame    = `convert it with pandas, as in python3 -c "import pandas; pandas.read_KIND('FILE').to_csv('FILE.csv', ` +
			`index=False)"`
		arviz = `diagnose it in Python: import arviz, breadboard; breadboard.diagnose(arviz.from_netcdf("FILE"))`
	)
	with := strings.ReplaceAll
	return []unread{
		{"GeNIe's XDSL", ".xdsl", "", pyagrum, ""},
		{"Hugin's NET", ".net", "", pyagrum, ""},
		{"XMLBIF", ".xml .xmlbif .bifxml", "", "give it the ending .bifxml; then " + pyagrum, ""},
		{"DSC", ".dsc", "", `in R, write bnlearn::write.bif("FILE.bif", bnlearn::read.dsc("FILE"))`, ""},
		{"libDAI's factor graph", ".fg", "", "write the network as FILE.uai", ""},
		{
			"one of model checkers",
			".tra .lab .srew .sta .drn .umb",
			"",
			"write transitions as a matrix in FILE.mtx (MatrixMarket, states from 1), and a number for " +
				"each state as a line of FILE.csv",
			"",
		},
		{"MATLAB's code", ".m", "", "in MATLAB, write writematrix(full(P), 'FILE.csv') for a matrix P", ""},
		{"MATLAB's MAT", "", "MATLAB ", with(array, "MODULE", "scipy.io") + `scipy.io.loadmat("FILE")["NAME"])`, ""},
		{
			"R's RDS",
			".rds",
			"X\n\x00\x00|A\n2\n|A\n3\n",
			with(inR, "OBJECT", `readRDS("FILE")`),
			with(drawsInR, "OBJECT", `readRDS("FILE")`),
		},
		{
			"R's workspace",
			".rda .rdata",
			"RDX|RDA",
			with(inR, "OBJECT", `get(load("FILE"))`),
			with(drawsInR, "OBJECT", `get(load("FILE"))`),
		},
		{
			"netCDF",
			".nc .nc4 .netcdf",
			"CDF\x01|CDF\x02|CDF\x05",
			with(array, "MODULE", "xarray") + `xarray.open_dataset("FILE")["NAME"])`,
			arviz,
		},
		{
			"HDF5",
			".h5 .hdf5",
			"\x89HDF",
			with(array, "MODULE", "h5py") + `h5py.File("FILE")["NAME"][()])`,
			arviz + `, or for emcee: import emcee, breadboard; ` +
				`breadboard.diagnose(emcee.backends.HDFBackend("FILE").get_chain().swapaxes(0, 1))`,
		},
		{
			"Python's pickle (which can run any code)",
			".pkl .pickle",
			"\x80\x02|\x80\x03|\x80\x04|\x80\x05",
			"if you trust it, " + with(array, "MODULE", "pickle") + `pickle.load(open("FILE", "rb")))`,
			"save its arrays with numpy.savez",
		},
		{parquet, ".parquet", "PAR1", with(frame, "KIND", "parquet"), with(frame, "KIND", "parquet")},
		{"Arrow", "", "ARROW1", with(frame, "KIND", "feather"), ""},
		{"NumPy's .npy", "", "\x93NUMPY", "give it a name that ends in .npy", ""},
		{
			"NumPy's .npz",
			"",
			"PK\x03\x04*.npy",
			`in Python, write import numpy; numpy.save("FILE.npy", numpy.load("FILE")["NAME"]), or give it a ` +
				"name that ends in .npz",
			"",
		},
		{"zip, such as of .xlsx", "", "PK\x03\x04", "unpack it, or for .xlsx " + with(frame, "KIND", "excel"), ""},
		{
			"one of other programs",
			".zip .paramnames .ind .nex .trees .xlsx",
			"",
			"",
			"write a table to .csv, .npy or .npz (breadboard help files has recipes)",
		},
		{"NEXUS", "", "#NEXUS", "write the parameters of the same run to .csv", ""},
		{"gzip", "", "\x1f\x8b", "unpack it first, as by gzip -dc <FILE >NEW", ""},
		{"bzip2", "", "BZh", "unpack it first, as by bzip2 -dc <FILE >NEW", ""},
		{"xz", "", "\xfd7zXZ", "unpack it first, as by xz -dc <FILE >NEW", ""},
		{"zstd", "", "\x28\xb5\x2f\xfd", "unpack it first, as by zstd -dc <FILE >NEW", ""},
		{"Excel's .xls", "", "\xd0\xcf\x11\xe0", with(frame, "KIND", "excel"), ""},
		{"that of a pointer of Git LFS", "", "version https://git-lfs", "git lfs pull fetches the file", ""},
		{"HTML", "", "<!DOCTYPE|<!doctype|<html", "download the file behind the page", ""},
		{"PDF", "", "%PDF", "write its numbers to .csv", ""},
		{"UTF-16", "", "\xff\xfe|\xfe\xff", "save it as UTF-8, as by iconv -f UTF-16 -t UTF-8 FILE >NEW", ""},
		{"toulbar2's", ".wcsp .cfn", "", "write the network as FILE.uai, with exp(-cost) in its tables", ""},
		{"one that GeNIe reads", ".dne .dsl .erg", "", genie + pyagrum, ""},
		{"Netica's", ".neta", "", "save it as .dne in Netica; " + genie + pyagrum, ""},
		{
			"Hugin's object-oriented one",
			".oobn",
			"",
			"in Hugin, save the network in run mode as .net; then " + pyagrum,
			"",
		},
	}
}

// parquet is the title of Parquet.
const parquet = "Parquet"

// Foreign returns the format of a file that is not read as text, by its first bytes, or by its
// ending if these are nil, and how to convert the file or which reader takes it. The title is empty
// for other files.
func Foreign(path string, start []byte, draws bool) (title, cure string) {
	name := filepath.Base(path)
	if path == "" || strings.ContainsAny(name, `'"\$ `+"`") {
		name = "FILE"
	}
	holds := func(begin string) bool {
		begin, has, _ := strings.Cut(begin, "*")
		return begin != "" && bytes.HasPrefix(start, []byte(begin)) &&
			bytes.Contains(start[:min(len(start), 256)], []byte(has))
	}
	for _, f := range formats() {
		cure := f.cure
		if draws {
			cure = f.draws
		}
		if slices.ContainsFunc(strings.Split(f.begins, "|"), holds) {
			cure = cmp.Or(cure, f.cure)
		} else if start != nil || !slices.Contains(strings.Fields(f.endings), Ending(path)) {
			continue
		}
		if cure != "" {
			return f.title, strings.ReplaceAll(cure, "FILE", name)
		}
	}
	zero := func(at int) bool { return len(start) > 3 && start[at] == 0 }
	for first, encoding := range []string{"UTF-16BE", "UTF-16LE"} {
		if zero(first) && zero(first+2) && !zero(1-first) && !zero(3-first) {
			return encoding, "save it as UTF-8, as by iconv -f " + encoding + " -t UTF-8 " + name + " >NEW"
		}
	}
	return "", ""
}

// Unread returns an error for a path whose ending is that of a format of other programs that is not
// read. The error says how to convert the file. It returns nil for other paths.
func Unread(path string) error {
	if title, cure := Foreign(path, nil, false); title != "" {
		return errs.New("%s: the format is %s, which is not read; %s", path, title, cure)
	}
	return nil
}
