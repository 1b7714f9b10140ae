#include "cubin.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Some tools write cubins whose parts lie at odd offsets. */
typedef Elf64_Ehdr Header __attribute__((aligned(1)));
typedef Elf64_Shdr Section __attribute__((aligned(1)));
typedef Elf64_Sym Symbol __attribute__((aligned(1)));

struct file {
  const unsigned char *bytes;
  size_t length;
  const Header *header;
  const Section *sections;
  size_t count; /* of sections */
  size_t names; /* the section with their names */
};

static bool within(const struct file *file, uint64_t offset, uint64_t bytes) {
  return offset <= file->length && bytes <= file->length - offset;
}

static bool open_file(struct file *file, const void *cubin, size_t bytes) {
  file->bytes = cubin;
  file->length = bytes;
  file->header = cubin;
  if (bytes < sizeof(Elf64_Ehdr) || memcmp(cubin, ELFMAG, SELFMAG) != 0
      || file->header->e_ident[EI_CLASS] != ELFCLASS64
      || file->header->e_shentsize != sizeof(Elf64_Shdr)) {
    return false;
  }
  uint64_t offset = file->header->e_shoff;
  if (!within(file, offset, sizeof(Elf64_Shdr))) {
    return false;
  }
  file->sections = (const Section *)(file->bytes + offset);
  /* Numbers that are too large for the header stand in the first section. */
  file->count = file->header->e_shnum ? file->header->e_shnum : file->sections->sh_size;
  file->names = file->header->e_shstrndx == SHN_XINDEX ? file->sections->sh_link
                                                       : file->header->e_shstrndx;
  if (file->count > bytes / sizeof(Elf64_Shdr)
      || !within(file, offset, file->count * sizeof(Elf64_Shdr))) {
    return false;
  }
  for (size_t i = 1; i < file->count; i++) {
    const Section *section = file->sections + i;
    if (section->sh_type != SHT_NOBITS && !within(file, section->sh_offset, section->sh_size)) {
      return false;
    }
  }
  return file->names < file->count;
}

static const char *string(const struct file *file, size_t table, uint64_t offset) {
  if (table >= file->count) {
    return "";
  }
  const Section *section = file->sections + table;
  if (section->sh_type == SHT_NOBITS || offset >= section->sh_size) {
    return "";
  }
  const char *text = (const char *)file->bytes + section->sh_offset + offset;
  return memchr(text, 0, section->sh_size - offset) ? text : "";
}

static const char *section_name(const struct file *file, const Section *section) {
  return string(file, file->names, section->sh_name);
}

static const Section *find(const struct file *file, const char *prefix, const char *rest) {
  size_t length = strlen(prefix);
  for (size_t i = 0; i < file->count; i++) {
    const char *name = section_name(file, file->sections + i);
    if (strncmp(name, prefix, length) == 0 && strcmp(name + length, rest) == 0) {
      return file->sections + i;
    }
  }
  return NULL;
}

bool cubin_sound(const void *cubin, size_t bytes) {
  struct file file;
  return open_file(&file, cubin, bytes);
}

bool cubin_has_kernel(const void *cubin, size_t bytes, const char *kernel) {
  struct file file;
  return open_file(&file, cubin, bytes) && find(&file, ".text.", kernel);
}

/* Symbols of the cubin, one after the other. */
struct symbols {
  struct file file;
  const Symbol *all;
  size_t count;
  unsigned strings;
};

static bool open_symbols(struct symbols *symbols, const void *cubin, size_t bytes) {
  if (!open_file(&symbols->file, cubin, bytes)) {
    return false;
  }
  const Section *table = find(&symbols->file, ".symtab", "");
  if (!table || table->sh_type == SHT_NOBITS) {
    return false;
  }
  symbols->all = (const Symbol *)(symbols->file.bytes + table->sh_offset);
  symbols->count = table->sh_size / sizeof(Elf64_Sym);
  symbols->strings = table->sh_link;
  return true;
}

int cubin_registers(const void *cubin, size_t bytes, const char *kernel) {
  struct symbols symbols;
  if (!open_symbols(&symbols, cubin, bytes)) {
    return -1;
  }
  const Section *text = find(&symbols.file, ".text.", kernel);
  /* The upper byte of a code section's information is its number of registers. */
  int of_section = text ? (int)(text->sh_info >> 24) : 0;
  if (of_section) {
    return of_section;
  }
  const Section *info = find(&symbols.file, ".nv.info", "");
  if (!info || info->sh_type == SHT_NOBITS) {
    return -1;
  }
  /* Entries: format, attribute, then for format 4 a length and a payload; attribute 0x2f has a
     symbol's number and its registers. */
  const unsigned char *at = symbols.file.bytes + info->sh_offset;
  const unsigned char *end = at + info->sh_size;
  while (end - at >= 4) {
    uint16_t length = (uint16_t)(at[2] | at[3] << 8);
    if (at[0] != 4) {
      at += 4;
      continue;
    }
    if (end - at < 4 + length) {
      return -1;
    }
    if (at[1] == 0x2f && length >= 8) {
      uint32_t symbol, registers;
      memcpy(&symbol, at + 4, 4);
      memcpy(&registers, at + 8, 4);
      if (symbol < symbols.count
          && strcmp(string(&symbols.file, symbols.strings, symbols.all[symbol].st_name), kernel) == 0) {
        return (int)registers;
      }
    }
    at += 4 + length;
  }
  return -1;
}

bool cubin_has_textures(const void *cubin, size_t bytes, const char *kernel) {
  struct file file;
  const Section *text = open_file(&file, cubin, bytes) ? find(&file, ".text.", kernel) : NULL;
  if (!text || text->sh_type == SHT_NOBITS) {
    return false;
  }
  /* Instructions have 16 bytes; the lower nine bits are the operation, whatever its operands are. */
  for (uint64_t at = 0; at + 16 <= text->sh_size; at += 16) {
    uint16_t operation;
    memcpy(&operation, file.bytes + text->sh_offset + at, sizeof operation);
    operation &= 0x1ff;
    if ((operation >= 0x160 && operation <= 0x170) || (operation >= 0x198 && operation <= 0x19e)) {
      return true;
    }
  }
  return false;
}

size_t cubin_variables(const void *cubin, size_t bytes, struct variable *variables, size_t room) {
  struct symbols symbols;
  size_t count = 0;
  if (!open_symbols(&symbols, cubin, bytes)) {
    return 0;
  }
  for (size_t i = 0; i < symbols.count; i++) {
    const Symbol *symbol = symbols.all + i;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_size == 0
        || symbol->st_shndx >= symbols.file.count) {
      continue;
    }
    const char *section = section_name(&symbols.file, symbols.file.sections + symbol->st_shndx);
    /* Bank 3 has the variables; others belong to kernels, and shared memory has no address here. */
    bool constant = strcmp(section, ".nv.constant3") == 0;
    bool global = strcmp(section, ".nv.global") == 0 || strcmp(section, ".nv.global.init") == 0;
    const char *name = string(&symbols.file, symbols.strings, symbol->st_name);
    if ((!constant && !global) || !*name) {
      continue;
    }
    if (count < room) {
      variables[count] = (struct variable){
          name, symbol->st_size, constant, ELF64_ST_BIND(symbol->st_info) == STB_LOCAL};
    }
    count++;
  }
  return count;
}

/* Marks a name within the cubin as one that stays. */
static void mark(bool *used, const char *name, const char *cubin) {
  if (*name) {
    memset(used + (name - cubin), true, strlen(name));
  }
}

/* Overwrites the names in a table that nobody uses any more. */
static void blank(unsigned char *table, const bool *used, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    table[i] = used[i] ? table[i] : 0;
  }
}

/* Marks the sections of kernels that are not kept: .text.KERNEL, .nv.info.KERNEL and so on. */
static void find_dropped(const struct symbols *symbols, bool (*keep)(const char *, void *), void *self,
    bool *dropped) {
  const struct file *file = &symbols->file;
  for (size_t i = 0; i < symbols->count; i++) {
    const Symbol *symbol = symbols->all + i;
    const char *kernel = string(file, symbols->strings, symbol->st_name);
    /* 0x10 among the other bits: a kernel, not a function that kernels call. */
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !(symbol->st_other & 0x10) || !*kernel
        || keep(kernel, self)) {
      continue;
    }
    size_t length = strlen(kernel);
    for (size_t k = 1; k < file->count; k++) {
      const char *name = section_name(file, file->sections + k);
      size_t all = strlen(name);
      if (all > length && name[all - length - 1] == '.' && name[0] == '.'
          && strcmp(name + all - length, kernel) == 0) {
        dropped[k] = true;
      }
    }
  }
}

bool cubin_cut(const void *cubin, size_t bytes, bool (*keep)(const char *kernel, void *self), void *self,
    struct text *to) {
  struct symbols symbols;
  if (!open_symbols(&symbols, cubin, bytes) || symbols.strings >= symbols.file.count) {
    return false;
  }
  const struct file *file = &symbols.file;
  const Section *table = find(file, ".symtab", "");
  const Section *strings = file->sections + symbols.strings, *names = file->sections + file->names;
  bool *dropped = need(NULL, file->count), *used = need(NULL, bytes);
  memset(dropped, 0, file->count);
  memset(used, 0, bytes);
  find_dropped(&symbols, keep, self, dropped);
  unsigned char *all = memcpy(need(NULL, bytes), cubin, bytes);
  Section *sections = (Section *)(all + file->header->e_shoff);
  Symbol *changed = (Symbol *)(all + table->sh_offset);
  for (size_t i = 0; i < symbols.count; i++) {
    if (changed[i].st_shndx < file->count && dropped[changed[i].st_shndx]) {
      memset(changed + i, 0, sizeof *changed);
    } else {
      mark(used, string(file, symbols.strings, changed[i].st_name), (const char *)cubin);
    }
  }
  for (size_t i = 0; i < file->count; i++) {
    if (!dropped[i]) {
      mark(used, section_name(file, file->sections + i), (const char *)cubin);
    }
  }
  blank(all + strings->sh_offset, used + strings->sh_offset, strings->sh_size);
  blank(all + names->sh_offset, used + names->sh_offset, names->sh_size);
  text_clear(to);
  text_bytes(to, all, sizeof(Elf64_Ehdr));
  static const char zeros[4096];
  for (size_t i = 1; i < file->count; i++) {
    if (dropped[i]) {
      memset(sections + i, 0, sizeof *sections); /* of the type SHT_NULL: not there */
    } else if (sections[i].sh_type == SHT_NOBITS) {
      sections[i].sh_offset = to->length;
    } else {
      uint64_t align = sections[i].sh_addralign > 8 && sections[i].sh_addralign <= sizeof zeros
          ? sections[i].sh_addralign : 8;
      uint64_t from = sections[i].sh_offset;
      text_bytes(to, zeros, (align - to->length % align) % align);
      sections[i].sh_offset = to->length;
      text_bytes(to, all + from, sections[i].sh_size);
    }
  }
  text_bytes(to, zeros, (8 - to->length % 8) % 8);
  Elf64_Ehdr header = *file->header;
  header.e_shoff = to->length;
  header.e_phoff = 0;
  header.e_phnum = 0;
  text_bytes(to, sections, file->count * sizeof *sections);
  memcpy(to->bytes, &header, sizeof header);
  free(dropped);
  free(used);
  free(all);
  return true;
}
