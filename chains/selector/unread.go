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
	endings []string
	begins  []string // the first bytes of such a file
	has     string   // what stands behind them
	cure    string   // how to convert it, or which reader takes it, with FILE for its name
	draws   string   // the same if draws are wanted; a file of draws is refused by its ending only if there is one
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
		zip   = "PK\x03\x04"
	)
	with := strings.ReplaceAll
	return []unread{
		{title: "GeNIe's XDSL", endings: []string{".xdsl"}, cure: pyagrum},
		{title: "Hugin's NET", endings: []string{".net"}, cure: pyagrum},
		{
			title:   "XMLBIF",
			endings: []string{".xml", ".xmlbif", ".bifxml"},
			cure:    "give it the ending .bifxml; then " + pyagrum,
		},
		{
			title:   "DSC",
			endings: []string{".dsc"},
			cure:    `in R, write bnlearn::write.bif("FILE.bif", bnlearn::read.dsc("FILE"))`,
		},
		{title: "libDAI's factor graph", endings: []string{".fg"}, cure: "write the network as FILE.uai"},
		{
			title:   "one of model checkers",
			endings: []string{".tra", ".lab", ".srew", ".sta", ".drn", ".umb"},
			cure: "write transitions as a matrix in FILE.mtx (MatrixMarket, states from 1), and a number for " +
				"each state as a line of FILE.csv",
		},
		{
			title:   "MATLAB's code",
			endings: []string{".m"},
			cure:    "in MATLAB, write writematrix(full(P), 'FILE.csv') for a matrix P",
		},
		{
			title:  "MATLAB's MAT",
			begins: []string{"MATLAB "},
			cure:   with(array, "MODULE", "scipy.io") + `scipy.io.loadmat("FILE")["NAME"])`,
		},
		{
			title:   "R's RDS",
			endings: []string{".rds"},
			begins:  []string{"X\n\x00\x00", "A\n2\n", "A\n3\n"},
			cure:    with(inR, "OBJECT", `readRDS("FILE")`),
			draws:   with(drawsInR, "OBJECT", `readRDS("FILE")`),
		},
		{
			title:   "R's workspace",
			endings: []string{".rda", ".rdata"},
			begins:  []string{"RDX", "RDA"},
			cure:    with(inR, "OBJECT", `get(load("FILE"))`),
			draws:   with(drawsInR, "OBJECT", `get(load("FILE"))`),
		},
		{
			title:   "netCDF",
			endings: []string{".nc", ".nc4", ".netcdf"},
			begins:  []string{"CDF\x01", "CDF\x02", "CDF\x05"},
			cure:    with(array, "MODULE", "xarray") + `xarray.open_dataset("FILE")["NAME"])`,
			draws:   arviz,
		},
		{
			title:   "HDF5",
			endings: []string{".h5", ".hdf5"},
			begins:  []string{"\x89HDF"},
			cure:    with(array, "MODULE", "h5py") + `h5py.File("FILE")["NAME"][()])`,
			draws: arviz + `, or for emcee: import emcee, breadboard; ` +
				`breadboard.diagnose(emcee.backends.HDFBackend("FILE").get_chain().swapaxes(0, 1))`,
		},
		{
			title:   "Python's pickle (which can run any code)",
			endings: []string{".pkl", ".pickle"},
			begins:  []string{"\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05"},
			cure: "if you trust it, " + with(array, "MODULE", "pickle") +
				`pickle.load(open("FILE", "rb")))`,
			draws: "save its arrays with numpy.savez",
		},
		{
			title:   parquet,
			endings: []string{".parquet"},
			begins:  []string{"PAR1"},
			cure:    with(frame, "KIND", "parquet"),
			draws:   with(frame, "KIND", "parquet"),
		},
		{title: "Arrow", begins: []string{"ARROW1"}, cure: with(frame, "KIND", "feather")},
		{title: "NumPy's .npy", begins: []string{"\x93NUMPY"}, cure: "give it a name that ends in .npy"},
		{
			title:  "NumPy's .npz",
			begins: []string{zip},
			has:    ".npy",
			cure: `in Python, write import numpy; numpy.save("FILE.npy", numpy.load("FILE")["NAME"]), or give it a ` +
				"name that ends in .npz",
		},
		{
			title:  "zip, such as of .xlsx",
			begins: []string{zip},
			cure:   "unpack it, or for .xlsx " + with(frame, "KIND", "excel"),
		},
		{
			title:   "one of other programs",
			endings: []string{".zip", ".paramnames", ".ind", ".nex", ".trees", ".xlsx"},
			draws:   "write a table to .csv, .npy or .npz (breadboard help files has recipes)",
		},
		{
			title:  "NEXUS",
			begins: []string{"#NEXUS"},
			cure:   "write the parameters of the same run to .csv",
		},
		{title: "gzip", begins: []string{"\x1f\x8b"}, cure: "unpack it first, as by gzip -dc <FILE >NEW"},
		{title: "bzip2", begins: []string{"BZh"}, cure: "unpack it first, as by bzip2 -dc <FILE >NEW"},
		{title: "xz", begins: []string{"\xfd7zXZ"}, cure: "unpack it first, as by xz -dc <FILE >NEW"},
		{title: "zstd", begins: []string{"\x28\xb5\x2f\xfd"}, cure: "unpack it first, as by zstd -dc <FILE >NEW"},
		{title: "Excel's .xls", begins: []string{"\xd0\xcf\x11\xe0"}, cure: with(frame, "KIND", "excel")},
		{title: "that of a pointer of Git LFS", begins: []string{"version https://git-lfs"}, cure: "git lfs pull fetches the file"},
		{title: "HTML", begins: []string{"<!DOCTYPE", "<!doctype", "<html"}, cure: "download the file behind the page"},
		{title: "PDF", begins: []string{"%PDF"}, cure: "write its numbers to .csv"},
		{title: "UTF-16", begins: []string{"\xff\xfe", "\xfe\xff"}, cure: "save it as UTF-8, as by iconv -f UTF-16 -t UTF-8 FILE >NEW"},
		{
			title:   "toulbar2's",
			endings: []string{".wcsp", ".cfn"},
			cure:    "write the network as FILE.uai, with exp(-cost) in its tables",
		},
		{title: "one that GeNIe reads", endings: []string{".dne", ".dsl", ".erg"}, cure: genie + pyagrum},
		{title: "Netica's", endings: []string{".neta"}, cure: "save it as .dne in Netica; " + genie + pyagrum},
		{
			title:   "Hugin's object-oriented one",
			endings: []string{".oobn"},
			cure:    "in Hugin, save the network in run mode as .net; then " + pyagrum,
		},
	}
}

// parquet is the title of Parquet.
const parquet = "Parquet"

// Foreign returns the format of a file that is not read as text, by its first bytes, or by its ending
// if these are nil, and how to convert the file or which reader takes it. The title is empty for
// other files.
func Foreign(path string, start []byte, draws bool) (title, cure string) {
	name := filepath.Base(path)
	if path == "" || strings.ContainsAny(name, `'"\$ `+"`") {
		name = "FILE"
	}
	ending := Ending(path)
	for _, f := range formats() {
		by := func(begin string) bool { return bytes.HasPrefix(start, []byte(begin)) }
		cure := f.cure
		if draws {
			cure = f.draws
		}
		if slices.ContainsFunc(f.begins, by) && bytes.Contains(start[:min(len(start), 256)], []byte(f.has)) {
			cure = cmp.Or(cure, f.cure)
		} else if start != nil || !slices.Contains(f.endings, ending) {
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
