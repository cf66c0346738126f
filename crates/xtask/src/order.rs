//! Puts the functions of the wasm file into an order in which they compress better.
//!
//! They may stand in any order. Many are one generic function compiled for several types, and differ in a few bytes;
//! Brotli writes such a repetition the shorter, the nearer it is. So each function is followed by the one most like it.
//! The order in which the compiler happened to write them then makes no difference either: without this, an unrelated
//! change could add two kilobytes.
//!
//! Loads and stores carry a hint of how their addresses are aligned, which the engines of browsers do not use. It is set
//! to nothing everywhere, and compresses to nothing.

use anyhow::Result;
use std::{
    collections::{HashMap, VecDeque},
    convert::Infallible,
    io,
};
use wasm_encoder::{
    CodeSection, FunctionSection, MemArg, Module,
    reencode::{Error, Reencode, utils},
};
use wasmparser::{CodeSectionReader, FunctionBody, FunctionSectionReader, Parser, Payload};

/// Functions are alike if they share runs of this many bytes.
const RUN: usize = 6;
/// A run that more functions have says nothing about any of them.
const COMMON: usize = 100;
/// How many functions before its place a function is compared with, the nearest counting most.
const BEFORE: usize = 3;

/// The same file, each function followed by the one most like it.
pub(crate) fn by_likeness(wasm: &[u8]) -> Result<Vec<u8>> {
    let (imported, bodies) = read(wasm)?;
    let mut places = vec![0; bodies.len()];
    for (place, number) in (0..).zip(order(&bodies)) {
        if let Some(entry) = places.get_mut(number) {
            *entry = place;
        }
    }
    let mut module = Module::new();
    Reordered { imported, places }.parse_core_module(&mut module, Parser::new(0), wasm)?;
    Ok(module.finish())
}

/// How many functions the file imports, and the code of its own without the numbers of the functions that it calls.
fn read(wasm: &[u8]) -> Result<(u32, Vec<Vec<u8>>)> {
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    imported += u32::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(without_numbers(&body)?),
            _ => {}
        }
    }
    Ok((imported, bodies))
}

/// Function numbers are what the new order changes.
struct Unnumbered;

impl Reencode for Unnumbered {
    type Error = Infallible;

    fn function_index(&mut self, _: u32) -> Result<u32, Error> {
        Ok(0)
    }

    fn mem_arg(&mut self, argument: wasmparser::MemArg) -> Result<MemArg, Error> {
        Ok(MemArg { align: 0, ..utils::mem_arg(self, argument)? })
    }
}

fn without_numbers(body: &FunctionBody<'_>) -> Result<Vec<u8>> {
    let mut function = Unnumbered.new_function_with_parsed_locals(body)?;
    let mut reader = body.get_operators_reader()?;
    while !reader.eof() {
        function.instruction(&Unnumbered.parse_instruction(&mut reader)?);
    }
    Ok(function.into_raw_body())
}

/// A function while its place is looked for.
struct Function {
    number: usize,
    /// The runs that it has, as numbers, each once.
    runs: Vec<usize>,
    is_placed: bool,
    /// How many runs it shares with those placed last.
    shared: f64,
}

impl Function {
    /// The shared part of what it and the last one have together.
    fn likeness(&self, last: usize) -> f64 {
        self.shared / ((self.runs.len() + last) as f64 - self.shared).max(1.0)
    }
}

/// The numbers of the functions in their new order. It begins with the smallest, as does every new group.
fn order(bodies: &[Vec<u8>]) -> Vec<usize> {
    let mut functions = functions(bodies);
    let holders = holders(&functions);
    let mut order = Vec::with_capacity(bodies.len());
    let mut before: VecDeque<Vec<usize>> = VecDeque::new();
    while let Some(next) = nearest(&mut functions, before.front().map_or(0, Vec::len)) {
        next.is_placed = true;
        order.push(next.number);
        before.push_front(next.runs.clone());
        before.truncate(BEFORE);
        count_shared(&mut functions, &before, &holders);
    }
    order
}

/// The functions, the smallest first, so that the order they come in makes no difference.
fn functions(bodies: &[Vec<u8>]) -> Vec<Function> {
    let mut sorted: Vec<_> = bodies.iter().enumerate().collect();
    sorted.sort_by_key(|(_, body)| (body.len(), *body));
    let mut known = HashMap::new();
    let mut functions = Vec::with_capacity(bodies.len());
    for (number, body) in sorted {
        let mut runs = Vec::with_capacity(body.len());
        for run in body.windows(RUN) {
            let next = known.len();
            runs.push(*known.entry(run).or_insert(next));
        }
        runs.sort_unstable();
        runs.dedup();
        functions.push(Function { number, runs, is_placed: false, shared: 0.0 });
    }
    functions
}

/// For each run the places in the list of the functions that have it.
fn holders(functions: &[Function]) -> Vec<Vec<usize>> {
    let count = functions.iter().filter_map(|function| function.runs.last()).max().map_or(0, |last| last + 1);
    let mut holders = vec![Vec::new(); count];
    for (place, function) in functions.iter().enumerate() {
        for run in &function.runs {
            if let Some(holders) = holders.get_mut(*run) {
                holders.push(place);
            }
        }
    }
    for holders in holders.iter_mut().filter(|holders| holders.len() > COMMON) {
        holders.clear();
    }
    holders
}

/// Of those without a place the one most like the last, and the smallest of several.
fn nearest(functions: &mut [Function], last: usize) -> Option<&mut Function> {
    let waiting = functions.iter_mut().filter(|function| !function.is_placed);
    waiting.reduce(|best, other| if other.likeness(last) > best.likeness(last) { other } else { best })
}

fn count_shared(functions: &mut [Function], before: &VecDeque<Vec<usize>>, holders: &[Vec<usize>]) {
    for function in &mut *functions {
        function.shared = 0.0;
    }
    for (age, runs) in before.iter().enumerate() {
        let weight = 1.0 / (1.0 + age as f64);
        for place in runs.iter().filter_map(|run| holders.get(*run)).flatten() {
            if let Some(function) = functions.get_mut(*place) {
                function.shared += weight;
            }
        }
    }
}

/// Writes the file anew, with each function at its place and every mention of it changed.
struct Reordered {
    imported: u32,
    /// The place of each function that the file does not import.
    places: Vec<u32>,
}

impl Reordered {
    /// What comes in the old order, in the new one.
    fn sorted<T>(&self, items: impl Iterator<Item = wasmparser::Result<T>>) -> wasmparser::Result<Vec<T>> {
        let mut items =
            items.collect::<wasmparser::Result<Vec<_>>>()?.into_iter().zip(&self.places).collect::<Vec<_>>();
        items.sort_by_key(|(_, place)| **place);
        Ok(items.into_iter().map(|(item, _)| item).collect())
    }
}

impl Reencode for Reordered {
    type Error = io::Error;

    fn function_index(&mut self, number: u32) -> Result<u32, Error<io::Error>> {
        let Some(own) = number.checked_sub(self.imported) else { return Ok(number) };
        match self.places.get(own as usize) {
            Some(place) => Ok(self.imported + place),
            None => Err(Error::UserError(io::Error::other(format!("function {number} is not in the file")))),
        }
    }

    fn mem_arg(&mut self, argument: wasmparser::MemArg) -> Result<MemArg, Error<io::Error>> {
        Ok(MemArg { align: 0, ..utils::mem_arg(self, argument)? })
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<io::Error>> {
        for kind in self.sorted(section.into_iter())? {
            functions.function(self.type_index(kind)?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<io::Error>> {
        for body in self.sorted(section.into_iter())? {
            utils::parse_function_body(self, code, body)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        EntityType, ExportKind, ExportSection, Function as Code, ImportSection, Instruction, MemorySection,
        MemoryType, TypeSection, ValType,
    };

    /// An imported function, and these: each returns its number many times over, after it has called another.
    fn wasm(functions: &[(i32, u32)]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("a", "b", EntityType::Function(0));
        let (mut section, mut exports, mut code) =
            (FunctionSection::new(), ExportSection::new(), CodeSection::new());
        for (number, (answer, calls)) in (1..).zip(functions) {
            section.function(0);
            exports.export(&format!("f{answer}"), ExportKind::Func, number);
            let mut body = Code::new([]);
            body.instruction(&Instruction::Call(*calls)).instruction(&Instruction::Drop);
            for _ in 0..8 {
                body.instruction(&Instruction::I32Const(*answer)).instruction(&Instruction::Drop);
            }
            body.instruction(&Instruction::I32Const(*answer)).instruction(&Instruction::End);
            code.function(&body);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&section).section(&exports).section(&code);
        module.finish()
    }

    /// Each export with the answer of the function it names, and the answer of the one that this calls.
    fn answers(wasm: &[u8]) -> Vec<(String, i32, Option<i32>)> {
        let (mut exports, mut code) = (Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(wasm) {
            match payload.unwrap() {
                Payload::ExportSection(section) => exports.extend(section.into_iter().map(Result::unwrap)),
                Payload::CodeSectionEntry(body) => {
                    let (mut answer, mut calls) = (0, 0);
                    for operator in body.get_operators_reader().unwrap() {
                        match operator.unwrap() {
                            wasmparser::Operator::Call { function_index } => calls = function_index,
                            wasmparser::Operator::I32Const { value } => answer = value,
                            _ => {}
                        }
                    }
                    code.push((answer, calls));
                }
                _ => {}
            }
        }
        let own = |number: u32| number.checked_sub(1).map(|own| code[own as usize]);
        let line = |export: wasmparser::Export<'_>| {
            let (answer, calls) = own(export.index).unwrap();
            (export.name.to_owned(), answer, own(calls).map(|(answer, _)| answer))
        };
        exports.into_iter().map(line).collect()
    }

    #[test]
    fn a_function_is_followed_by_the_one_most_like_it() {
        let bodies =
            ["abcdefghijkl", "0123456789--", "abcdefghij??", "0123456789++", "~"].map(|text| text.into());
        assert_eq!(order(&bodies), [4, 3, 1, 2, 0]);
    }

    #[test]
    fn exports_and_calls_mean_the_functions_that_they_meant() {
        let old = wasm(&[(70_000, 0), (7, 3), (9, 1), (70_001, 2), (8, 4)]);
        let new = by_likeness(&old).unwrap();
        assert_ne!(new, old);
        assert_eq!(answers(&new), answers(&old));
        assert_eq!(answers(&new)[1], ("f7".to_owned(), 7, Some(9)));
    }

    #[test]
    fn the_order_before_makes_no_difference() {
        let code = |functions: &[(i32, u32)]| {
            let (_, bodies) = read(&by_likeness(&wasm(functions)).unwrap()).unwrap();
            bodies
        };
        assert_eq!(
            code(&[(1, 0), (70_000, 0), (2, 0), (70_001, 0)]),
            code(&[(70_001, 0), (2, 0), (70_000, 0), (1, 0)])
        );
    }

    #[test]
    fn hints_of_alignment_go_and_addresses_stay() {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let (mut section, mut memories, mut code) =
            (FunctionSection::new(), MemorySection::new(), CodeSection::new());
        section.function(0);
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut body = Code::new([]);
        let at = MemArg { offset: 1_000, align: 2, memory_index: 0 };
        body.instruction(&Instruction::I32Const(8)).instruction(&Instruction::I32Load(at));
        body.instruction(&Instruction::Drop).instruction(&Instruction::End);
        code.function(&body);
        let mut module = Module::new();
        module.section(&types).section(&section).section(&memories).section(&code);
        let new = by_likeness(&module.finish()).unwrap();
        let loads = Parser::new(0).parse_all(&new).filter_map(|payload| match payload.unwrap() {
            Payload::CodeSectionEntry(body) => body.get_operators_reader().unwrap().into_iter().nth(1),
            _ => None,
        });
        let loads: Vec<_> = loads.map(Result::unwrap).collect();
        let [wasmparser::Operator::I32Load { memarg }] = loads.as_slice() else { panic!("{loads:?}") };
        assert_eq!((memarg.offset, memarg.align), (1_000, 0));
    }

    #[test]
    fn a_call_of_a_function_that_is_not_there_stops_the_build() {
        let error = by_likeness(&wasm(&[(1, 7)])).unwrap_err();
        assert!(error.to_string().contains("function 7 is not in the file"), "{error:#}");
    }

    #[test]
    fn a_broken_file_is_an_error() {
        for file in [&b"\0asm"[..], b"html....", b"\0asm\x01\0\0\0\x0a\xff"] {
            assert!(by_likeness(file).is_err(), "{file:?}");
        }
    }
}
