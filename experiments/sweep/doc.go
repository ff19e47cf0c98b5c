// Package sweep answers: what is the result of a study for every combination of parameters? It reads a specification of thousands to millions of cases,
// has a study solve each once, and keeps every result on disk so that nothing acknowledged is lost when the machine is
// switched off. Its callers say which studies there are. It solves nothing itself and never prints.
//
// # What is kept
//
// A sweep lives in a folder:
//
//	manifest.json        the parameters of every cell and the hashes of the files they depend on; never changed
//	manifest-KEY.json    the manifest of a sweep that the folder held before it was extended
//	shard-2-of-6.jsonl   results, one checksummed JSON line each, only ever appended to
//	shard-2-of-6.lock    held while a process writes that shard; it says which
//	shard-2-of-6.log     when, where and how long: no part of the results
//
// A cell is known by a hash of its canonical parameters, of the contents of the files that they name, or that a
// program is made of which is its kernel, of the study where it is not tightness, and of the schema version. A result counts when its line has been written with one call and the file has been synced;
// lines are synced in groups. After a failed write or sync nothing more is acknowledged, and a sync is never
// tried again: the kernel may have dropped what it could not write, so it is cut off where that can be done.
//
// On the next start all results that are found are synced, since their writer may have ended before they were, and whatever follows the last newline is cut, since no acknowledged line can be there. A line
// that ends and does not match its checksum is no torn write: reading stops with file, line and offset, and
// the file is left alone. So it does where a checksum is right and what it is of is not a result: a field is missing
// or unknown, the cell is not that of the key, or the values contradict each other. Run, ReadStatus and Merge read
// through one collector and refuse the same, two results of a cell that differ among it.
package sweep
